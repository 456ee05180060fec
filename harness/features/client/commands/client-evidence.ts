import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { challenge, challengeHelp } from '../../../kernel/cli/index.ts';
import type { ClientSubject } from '../../../kernel/core/index.ts';
import { type RecordingFile, recordingFile, UsageError } from '../../../kernel/terminal/index.ts';
import {
  assertEmpty,
  type BundlePlace,
  bundleFiles,
  readSigningKey,
  sha256,
} from '../../certificate/index.ts';
import { adapterVersion } from '../index.ts';

/** Options of `touchstone client` for plans and certificates. */
export interface EvidenceOptions {
  readonly clientVersion?: string;
  readonly plan?: boolean;
  readonly certify?: string;
  readonly key?: string;
  readonly challenge?: string;
}

export function addEvidence(command: Command): Command {
  return command
    .optionsGroup('Plan and certificate:')
    .option('--plan', 'show what would be started, and what could not be tested; starts nothing')
    .option(
      '--certify <folder>',
      'judge all of it, and write evidence to an empty folder that others can verify without the client',
    )
    .option('--key <file>', 'with --certify: sign it with this Ed25519 private key (PKCS#8, PEM)')
    .option('--challenge <text>', `with --certify: ${challengeHelp}`, challenge)
    .option(
      '--client-version <text>',
      'the version that reports and certificates name; default: with --adapter that of the package',
    );
}

/** Adds the version and the settings of a client. */
export function described(
  client: ClientSubject,
  { clientVersion }: EvidenceOptions,
): ClientSubject {
  const { adapter, with: module } = client;
  const version = clientVersion ?? (adapter === undefined ? undefined : adapterVersion(adapter));
  return {
    ...client,
    ...(version === undefined ? {} : { version }),
    ...(module === undefined || !existsSync(module)
      ? {}
      : { withSha256: sha256(readFileSync(module)) }),
  };
}

/**
 * Returns where to write the bundle, or null if none was requested.
 *
 * @throws {UsageError} when the folder or the key cannot be used, or another option excludes a bundle
 */
export function bundlePlaceOf(
  { certify: out, key, challenge: given }: EvidenceOptions,
  excluded: Readonly<Record<string, unknown>>,
): BundlePlace | null {
  if (out === undefined) {
    if (key !== undefined) throw new UsageError('--key goes with --certify.');
    if (given !== undefined) throw new UsageError('--challenge goes with --certify.');
    return null;
  }
  const [name] = Object.entries(excluded).flatMap(([one, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [one],
  );
  if (name !== undefined) {
    throw new UsageError(`--certify judges all of a client, and records it: leave out ${name}.`);
  }
  const signing = key === undefined ? null : readSigningKey(key);
  assertEmpty(out, 'certify');
  return { out, key: signing };
}

/** The recording that a run of a client needs. */
export function clientRecording(
  place: BundlePlace | null,
  named: string | undefined,
  wanted: boolean,
): RecordingFile {
  return place === null
    ? recordingFile(named, wanted)
    : recordingFile(join(place.out, bundleFiles.exchanges), true);
}
