import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadCatalogue } from '../core/catalogue.ts';
import { type RunResult, sideOf } from '../core/result.ts';
import { scopeOf } from '../core/scope.ts';
import { runVerdict } from '../core/verdict.ts';
import { type RecordingHeader, readRecording } from '../engine/recordings/recording.ts';
import { causesFor } from '../report/json.ts';
import { isReport } from '../report/report-schema.ts';
import { readTarget } from '../target/load.ts';
import { keyVariable } from '../wire/key-variable.ts';
import { clientFile } from './client-file.ts';
import { type Envelope, isSignedBy, payloadOf, readEnvelope } from './dsse.ts';
import { type Environment, readEnvironment } from './environment.ts';
import {
  attestedFiles,
  bundleFiles,
  fileProblems,
  subjectFileIn,
  subjectFileOf,
  sumsOf,
} from './files.ts';
import { statementOf, statementType } from './statement.ts';
import { witnessProblems } from './witness.ts';

/** What stands in a bundle, once it can be read. */
export interface Bundle {
  readonly report: RunResult;
  readonly header: RecordingHeader;
  readonly exchanges: number;
  readonly environment: Environment;
  readonly envelope: Envelope;
}

/** What a verifier wants to see besides. */
export interface Expectations {
  /** What the verifier made up for this run; null requires none. */
  readonly challenge?: string | null;
}

export interface Inspection {
  /** Why the bundle is rejected; none: all that can be seen without judging again is in order. */
  readonly problems: readonly string[];
  /** Null when it cannot be read. */
  readonly bundle: Bundle | null;
}

/**
 * Looks at a bundle without judging anything: its files and their sums, the signature, and whether
 * its parts say the same.
 *
 * @param publicKey of the required signer; null requires no signature
 */
export function inspect(
  folder: string,
  publicKey: KeyObject | null,
  { challenge = null }: Expectations = {},
): Inspection {
  const files = fileProblems(folder);
  // What is in changed files decides nothing, and may be anything.
  if (files.length > 0) return { problems: files, bundle: null };
  const { problems, ...parts } = read(folder);
  const { report, recording, environment, envelope } = parts;
  if (report === null || recording === null || environment === null || envelope === null) {
    return { problems, bundle: null };
  }
  const { header, exchanges, cut } = recording;
  const bundle = { report, header, exchanges: exchanges.length, environment, envelope };
  return {
    bundle,
    problems: [
      ...(cut ? [`${bundleFiles.exchanges}: its last line is cut`] : []),
      ...signatureProblems(envelope, publicKey),
      ...statementProblems(folder, bundle),
      ...subjectProblems(folder, header),
      ...witnessProblems(recording, challenge),
      ...completenessProblems(bundle),
    ],
  };
}

function read(folder: string) {
  const problems: string[] = [];
  const parse = <T>(name: string, parser: (path: string) => T): T | null => {
    try {
      return parser(join(folder, name));
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  return {
    problems,
    report: parse(bundleFiles.report, (path) => {
      const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
      if (!isReport(value)) throw new Error('it does not match the JSON Schema of reports');
      const { causes, scope, ...report } = value;
      if (causes !== undefined && !isDeepStrictEqual(causes, causesFor(report))) {
        throw new Error('its `causes` do not follow from its checks');
      }
      if (scope !== undefined && !isDeepStrictEqual(scope, scopeOf(report))) {
        throw new Error('its `scope` does not follow from its checks');
      }
      return report;
    }),
    recording: parse(bundleFiles.exchanges, readRecording),
    environment: parse(bundleFiles.environment, (path) =>
      readEnvironment(readFileSync(path, 'utf8')),
    ),
    envelope: parse(bundleFiles.attestation, (path) => readEnvelope(readFileSync(path, 'utf8'))),
  };
}

function signatureProblems(envelope: Envelope, publicKey: KeyObject | null): string[] {
  if (publicKey === null) return [];
  if (envelope.signatures.length === 0) return [`${bundleFiles.attestation} is not signed`];
  if (isSignedBy(envelope, publicKey)) return [];
  return [`${bundleFiles.attestation} has no signature of the given key`];
}

/** The Statement follows from the other files: it is made again, and compared. */
function statementProblems(folder: string, { report, environment, envelope }: Bundle): string[] {
  const name = bundleFiles.attestation;
  if (envelope.payloadType !== statementType) return [`${name} holds no in-toto Statement`];
  const expected = statementOf(
    report,
    environment,
    sumsOf(folder, attestedFiles(subjectFileIn(folder))),
  );
  let stated: unknown;
  try {
    stated = JSON.parse(Buffer.from(payloadOf(envelope)).toString());
  } catch {
    return [`${name}: its payload is not JSON`];
  }
  if (isDeepStrictEqual(stated, expected)) return [];
  const { predicate, ...rest } = expected;
  const { predicate: statedPredicate, ...statedRest } = Object(stated);
  const different = [
    ...differing('', statedRest, rest),
    ...differing('predicate.', Object(statedPredicate), predicate),
  ];
  return different.map((member) => `${name}: its ${member} does not follow from the other files`);
}

function differing(prefix: string, stated: object, expected: object): string[] {
  const members = new Set([...Object.keys(stated), ...Object.keys(expected)]);
  return [...members]
    .filter((name) => !isDeepStrictEqual(Reflect.get(stated, name), Reflect.get(expected, name)))
    .map((name) => prefix + name);
}

/** The file of what was judged describes what the recording says was judged. */
function subjectProblems(folder: string, { target }: RecordingHeader): string[] {
  const name = subjectFileIn(folder);
  if (name !== subjectFileOf({ target })) {
    return [`${bundleFiles.exchanges} is of a ${sideOf({ target })}, and ${name} is not of one`];
  }
  if (name === bundleFiles.client) {
    return readFileSync(join(folder, name), 'utf8') === clientFile(target)
      ? []
      : [`${name} describes another client than ${bundleFiles.exchanges}`];
  }
  const keys = Object.entries(target.keys).map(([key, standIn]) => [
    keyVariable(key),
    String(standIn),
  ]);
  const standIns = { ...target.variables, ...Object.fromEntries(keys) };
  try {
    const described = readTarget(readFileSync(join(folder, name), 'utf8'), name, standIns, {
      needsFiles: false,
    });
    if (isDeepStrictEqual(described, target)) return [];
    return [`${name} describes another target than ${bundleFiles.exchanges}`];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function completenessProblems({ report, header, environment }: Bundle): string[] {
  const { report: name, exchanges, environment: where } = bundleFiles;
  const { digest, checks } = loadCatalogue(sideOf(header));
  const problems: string[] = [];
  const { suite, catalogue } = environment;
  if (suite.version !== report.suiteVersion || suite.version !== header.suiteVersion) {
    problems.push(`${name}, ${exchanges} and ${where} name different versions of the suite`);
  }
  if (catalogue.sha256 !== header.catalogue) {
    problems.push(`${exchanges} and ${where} name different catalogues`);
  }
  if (catalogue.sha256 !== digest) {
    const version = `${suite.name}@${suite.version}`;
    problems.push(
      `it was judged by the catalogue of ${version}, which is another than the one here: ` +
        `verify it with that version`,
    );
    return problems;
  }
  const judged = new Set(report.checks.map(({ id }) => id));
  if (judged.size < report.checks.length) problems.push(`${name} has a check twice`);
  for (const { id } of checks) {
    if (!judged.delete(id)) problems.push(`${name} has no verdict on ${id}`);
  }
  for (const id of judged) problems.push(`${name} has a verdict on ${id}, which no catalogue has`);
  if (report.filters.length > 0) problems.push(`${name} is of a part of the checks only`);
  if (report.interrupted) problems.push(`${name} is of a run that was interrupted`);
  const { strict, verdict } = report;
  const follows = runVerdict(report.checks, { strict });
  if (verdict !== follows) {
    problems.push(`${name} says ${verdict}, but its verdicts come to ${follows}`);
  } else if (verdict === 'partial' || verdict === 'indeterminate') {
    problems.push(`${name} is ${verdict}: too little was judged for a certificate`);
  }
  return problems;
}
