import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  budgets,
  loadCatalogue,
  messageOf,
  parsed,
  parseForeign,
  type RunResult,
  readForeign,
  runVerdict,
  scopeOf,
  sideOf,
  UnfitFile,
  whyOtherwise,
} from '../../kernel/core/index.ts';
import { type Recording, readRecording } from '../../kernel/recordings/index.ts';
import { causesFor, counted, quoted, readReport, renderJson } from '../../kernel/report/index.ts';
import { whyOtherStart } from '../sessions/index.ts';
import { type Envelope, payloadOf, readEnvelope } from './dsse.ts';
import { currentEnvironment, type Environment, readEnvironment } from './environment.ts';
import { attestedFiles, bundleFiles, fileProblems, subjectFileIn, sumsOf } from './files.ts';
import { type OriginDemands, type Policy, quotedNames } from './policy.ts';
import { provenanceProblems } from './provenance.ts';
import { checkedSignatures, type Signatures } from './signature.ts';
import { statementOf, statementType } from './statement.ts';
import { subjectProblems } from './subject-file.ts';
import { witnessProblems } from './witness.ts';

export interface Bundle {
  readonly report: RunResult;
  readonly recording: Recording;
  readonly environment: Environment;
  readonly signatures: Signatures;
}

export interface Demands {
  /** Names of required profiles, regardless of the claimed ones. */
  readonly profiles?: readonly string[];
  /** All other demands on an intact bundle. Null if there are none. */
  readonly policy?: Policy | null;
  /** Hosts of the regions, and the maximum age of the run. */
  readonly origin?: OriginDemands;
  /** Accepted signers, of which one must have signed. If empty, no signature is required, and none can be checked. */
  readonly signers: readonly KeyObject[];
  /** SHA-256 of accepted builds of the suite other than this one. */
  readonly otherBuilds: readonly string[];
  /** Challenge of the verifier for this run. Null accepts any run. */
  readonly challenge: string | null;
}

export interface Inspection {
  /** Reasons why the bundle is rejected. Empty if it is valid as far as that shows without judging again. */
  readonly problems: readonly string[];
  /** Contents, or null if they cannot be read. */
  readonly bundle: Bundle | null;
}

/**
 * Inspects a bundle without judging anything: its files and their sums, the signature, and the consistency of its
 * parts.
 */
export function inspect(folder: string, { signers, otherBuilds, challenge }: Demands): Inspection {
  const files = fileProblems(folder);
  // Changed files may contain anything and prove nothing.
  if (files.length > 0) return { problems: files, bundle: null };
  const { problems, ...parts } = read(folder);
  const { report, recording, environment, envelope } = parts;
  if (report === null || recording === null || environment === null || envelope === null) {
    return { problems, bundle: null };
  }
  const signatures = checkedSignatures(envelope, bundleFiles.attestation, signers);
  const bundle = { report, recording, environment, signatures };
  return {
    bundle,
    problems: [
      ...(recording.cut ? [`${bundleFiles.exchanges}: its last line is cut`] : []),
      ...signatures.problems,
      ...statementProblems(folder, bundle, envelope),
      ...describedProblems(folder, bundle),
      ...buildProblems(bundle, otherBuilds),
      ...startProblems(bundle),
      ...sourceProblems(recording, challenge),
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
      const problem = `${name}: ${messageOf(error)}`;
      if (error instanceof UnfitFile && error.isOver) throw new UnfitFile(problem);
      problems.push(problem);
      return null;
    }
  };
  return {
    problems,
    report: parse(bundleFiles.report, (path) => {
      const text = readForeign(path, budgets.report);
      const { causes, scope } = Object(parseForeign(text, budgets.report));
      const report = readReport(text, 'it');
      // Causes and scope depend on the rows of the catalogue. A bundle of another catalogue is rejected for that
      // reason.
      if (isOfOther(report)) return report;
      if (causes !== undefined && !isDeepStrictEqual(causes, causesFor(report))) {
        throw new Error('its `causes` do not follow from its checks');
      }
      if (scope !== undefined && !isDeepStrictEqual(scope, scopeOf(report))) {
        throw new Error('its `scope` does not follow from its checks');
      }
      const otherwise = whyOtherwise(text, renderJson(report));
      if (otherwise !== null) throw new Error(`it is not as the suite writes it: ${otherwise}`);
      return report;
    }),
    recording: parse(bundleFiles.exchanges, (path) => readRecording(path, true)),
    environment: parse(bundleFiles.environment, (path) =>
      readEnvironment(readForeign(path, budgets.small)),
    ),
    envelope: parse(bundleFiles.attestation, (path) =>
      readEnvelope(readForeign(path, budgets.small)),
    ),
  };
}

/** The statement is derived from the other files, so it is built again and compared. */
function statementProblems(
  folder: string,
  { report, environment }: Bundle,
  envelope: Envelope,
): string[] {
  const name = bundleFiles.attestation;
  if (envelope.payloadType !== statementType) return [`${name} holds no in-toto Statement`];
  const expected = statementOf(
    report,
    environment,
    sumsOf(folder, attestedFiles(subjectFileIn(folder))),
  );
  const payload = Buffer.from(JSON.stringify(expected)).toString('base64');
  if (envelope.payload === payload) return [];
  const stated = parsed(Buffer.from(payloadOf(envelope)).toString());
  if (stated === undefined) return [`${name}: its payload is not JSON`];
  if (isDeepStrictEqual(stated, expected)) return [`${name}: its payload is written otherwise`];
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

/** Checks that the subject file describes the subject of the recording. */
function describedProblems(folder: string, { recording }: Bundle): string[] {
  const name = subjectFileIn(folder);
  try {
    return subjectProblems(name, readForeign(join(folder, name), budgets.small), recording.header);
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Checks that the run was judged by this build of the suite, or by one that the verifier accepts. */
function buildProblems(
  { report, recording: { header }, environment }: Bundle,
  otherBuilds: readonly string[],
): string[] {
  const { environment: name, report: reportName, exchanges } = bundleFiles;
  const { suite, catalogue } = environment;
  const here = currentEnvironment(loadCatalogue(sideOf(header)));
  const problems: string[] = [];
  if (suite.name !== here.suite.name) {
    problems.push(`${name} names the suite ${quoted(suite.name)}, and not ${here.suite.name}`);
  }
  if (suite.version !== report.suiteVersion || suite.version !== header.suiteVersion) {
    problems.push(`${reportName}, ${exchanges} and ${name} name different versions of the suite`);
  }
  if (catalogue.sha256 !== header.catalogue) {
    problems.push(`${exchanges} and ${name} name different catalogues`);
  }
  if (suite.sha256 !== here.suite.sha256) {
    if (otherBuilds.includes(suite.sha256)) return problems;
    const version = `${here.suite.name} ${quoted(suite.version)}`;
    problems.push(
      `it was made by another build of the suite than this one: ${version}, SHA-256 ` +
        `${quoted(suite.sha256)}. Verify it with that build; or, if you trust it, name it: ` +
        '--allow-other-build SHA256',
    );
  } else if (suite.version !== here.suite.version) {
    problems.push(
      `${name} names the version ${quoted(suite.version)} of the suite, and its SHA-256 is that of ${here.suite.version}`,
    );
  }
  return problems;
}

/** Tolerated difference between clocks, in milliseconds. */
const clockToleranceMs = 5 * 60_000;

/** Checks that the time is equal in all parts, and not in the future. */
function startProblems({ report, recording: { header } }: Bundle): string[] {
  const { report: name, exchanges } = bundleFiles;
  const { startedAt } = header;
  const at = Date.parse(startedAt);
  if (Number.isNaN(at) || new Date(at).toISOString() !== startedAt) {
    return [`${exchanges} says that it was started at ${quoted(startedAt)}, which is no time`];
  }
  if (report.startedAt !== startedAt) return [`${name} and ${exchanges} name different times`];
  if (at <= Date.now() + clockToleranceMs) return [];
  return [`${exchanges} says that it was started at ${quoted(startedAt)}, which is to come`];
}

function completenessProblems({ report, recording: { header }, environment }: Bundle): string[] {
  const { report: name, environment: where } = bundleFiles;
  const { digest, checks, revision } = loadCatalogue(sideOf(header));
  const problems: string[] = [];
  const { suite, catalogue } = environment;
  problems.push(...claimProblems(report, revision));
  if (catalogue.sha256 !== digest || isOfOther(report)) {
    const version = quoted(`${suite.name}@${suite.version}`);
    problems.push(
      `it was judged by the catalogue of ${version}, revision ${report.catalogue.revision}, which is another than ` +
        `the one here, revision ${revision}: verify it with that version`,
    );
    return problems;
  }
  if (catalogue.checks !== checks.length) {
    problems.push(
      `${where} says ${catalogue.checks} checks, and the catalogue has ${checks.length}`,
    );
  }
  const judged = new Set(report.checks.map(({ id }) => id));
  if (judged.size < report.checks.length) problems.push(`${name} has a check twice`);
  for (const { id } of checks) {
    if (!judged.delete(id)) problems.push(`${name} has no verdict on ${id}`);
  }
  for (const id of judged)
    problems.push(`${name} has a verdict on ${quoted(id)}, which no catalogue has`);
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

/** True if the report was judged by another catalogue than the current one. */
function isOfOther(report: RunResult): boolean {
  return report.catalogue.sha256 !== loadCatalogue(sideOf(report)).digest;
}

/**
 * Rejects an older certificate whose claim determined what was judged: it covers less than a current one with
 * identical words.
 */
function claimProblems({ checks, catalogue, target }: RunResult, revision: number): string[] {
  const left = checks.filter(
    ({ level, verdict }) =>
      level === 'MUST' && verdict.state === 'excluded' && verdict.unclaimed === true,
  );
  const [first] = left;
  if (first === undefined) return [];
  const named = quotedNames(target.claims?.profiles);
  return [
    `it is of revision ${catalogue.revision} of the catalogue, when a claim (${named}) left out what is judged of every ` +
      `gateway since: ${counted(left.length, 'MUST')} not judged, such as ${quoted(first.id)}. Revision ${revision} ` +
      'judges them: ask for a new certificate',
  ];
}

/** Reports a malformed recording as a problem, even if the malformed member has not been read before. */
function sourceProblems(recording: Recording, challenge: string | null): string[] {
  try {
    const others = recording.sessions.flatMap((line) => whyOtherStart(line) ?? []);
    return [
      ...others
        .slice(0, 1)
        .map((why) => `${bundleFiles.exchanges}: a start is not as Touchstone writes it: ${why}`),
      ...witnessProblems(recording, challenge),
      ...provenanceProblems(recording),
    ];
  } catch (error) {
    return [`${bundleFiles.exchanges}: ${messageOf(error)}`];
  }
}
