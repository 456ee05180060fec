import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { RunResult } from '../../kernel/core/index.ts';
import { plan, type RunOptions, run } from '../../kernel/engine/index.ts';
import { silentTerminal, UsageError } from '../../kernel/terminal/index.ts';
import {
  assertEmpty,
  bundleFiles,
  certifyingObstacles,
  type Demanded,
  demandsOf,
  type Level,
  missingFor,
  readSigningKey,
  verifyBundle,
  writtenBundle,
} from '../certificate/index.ts';

export interface CertifyOptions
  extends Pick<RunOptions, 'target' | 'strict' | 'settle' | 'signal' | 'onProgress' | 'challenge'> {
  /** Default: random. */
  readonly seed?: number;
  /** An empty or missing folder. */
  readonly out: string;
  /** A file with an Ed25519 private key (PKCS#8, PEM). Default: the bundle is not signed. */
  readonly key?: string;
}

export interface Certified {
  /** Result, or null if some required checks cannot be tested, in which case no request was sent. */
  readonly result: RunResult | null;
  /** Kind of bundle that was written. Only that of a conformant run is a certificate. */
  readonly written: 'certificate' | 'evidence' | null;
  /** Facts that the target lacks, with the ids of the checks that need them. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/**
 * Judges all of a gateway and writes evidence that others can verify without it, like `touchstone certify`.
 *
 * @throws {UsageError} when the folder is not empty, or the connection to the target is unsuitable
 * @throws {BadKey} when the key is invalid
 */
export async function certify({
  target,
  out,
  key,
  ...options
}: CertifyOptions): Promise<Certified> {
  const signing = key === undefined ? null : readSigningKey(key);
  const [obstacle] = certifyingObstacles(target, process.env);
  if (obstacle !== undefined) throw new UsageError(obstacle);
  assertEmpty(out);
  const missing = missingFor(await plan(target), options.strict ?? false);
  if (missing.size > 0) return { result: null, written: null, missing };
  const { seed = randomInt(2 ** 31) } = options;
  const recording = join(out, bundleFiles.exchanges);
  const result = await run({ ...options, target, seed, recording });
  const said = writtenBundle(result, { out, key: signing }, silentTerminal);
  const kinds = ['certificate', 'evidence'] as const;
  return { result, written: kinds[said] ?? null, missing };
}

export interface Verified {
  /** Level of trust, depending on what the verifier named. Null if the bundle is rejected. */
  readonly level: Level | null;
  readonly problems: readonly string[];
  /** True if the bundle is not rejected, and its run is conformant. */
  readonly isCertificate: boolean;
  /** Report, or null if the bundle cannot be read. */
  readonly report: RunResult | null;
}

/**
 * Verifies a bundle that `certify` wrote, without trusting any of it, like `touchstone verify`.
 *
 * @throws {BadKey} when a public key is invalid
 * @throws {TargetError} when a policy is invalid
 */
export async function verify(folder: string, demanded: Demanded = {}): Promise<Verified> {
  await import('../../features.ts');
  const verification = await verifyBundle(folder, demandsOf(demanded));
  const { level, bundle } = verification;
  return {
    level,
    problems: level === null ? verification.problems : [],
    isCertificate: level !== null && bundle?.report.verdict === 'conformant',
    report: bundle?.report ?? null,
  };
}
