import { type CheckState, type RunResult, scopeOf } from '../../kernel/core/index.ts';
import { claimInWords } from '../../kernel/report/index.ts';
import type { Environment } from './environment.ts';
import { type Sums, subjectFileOf } from './files.ts';

/** An in-toto Statement about the files of a bundle, with the predicate for test results. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly { readonly name: string; readonly digest: Digest }[];
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1';
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    /** Inputs of the run. */
    readonly configuration: readonly ResourceDescriptor[];
    /** Ids of checks. Those that do not apply or are left open are annotated to the catalogue. */
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

interface Digest {
  readonly sha256: string;
}

interface ResourceDescriptor {
  readonly name: string;
  readonly digest: Digest;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** Media type of a Statement in an envelope. */
export const statementType = 'application/vnd.in-toto+json';

/** Builds the statement of a bundle, which is derived from its other files. */
export function statementOf(
  result: RunResult,
  { suite, catalogue }: Environment,
  sums: Sums,
): Statement {
  const ids = (...states: CheckState[]): string[] =>
    result.checks.filter(({ verdict }) => states.includes(verdict.state)).map(({ id }) => id);
  const { seed, runId, challenge, startedAt, strict, verdict, specification, target } = result;
  const { acceptsAlso, client, name } = target;
  const subject = subjectFileOf(result);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...sums].map(([name, sum]) => ({ name, digest: { sha256: sum } })),
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(result),
      configuration: [
        {
          name: subject,
          digest: { sha256: sums.get(subject) ?? '' },
          ...(client === undefined ? {} : { annotations: { client: { name, ...client } } }),
          ...(acceptsAlso === undefined ? {} : { annotations: { acceptsAlso } }),
        },
        {
          name: suite.name,
          digest: { sha256: suite.sha256 },
          annotations: {
            version: suite.version,
            ...{ seed, strict, runId, startedAt, verdict },
            ...(challenge === undefined ? {} : { challenge }),
            ...(target.thorough ? { thorough: true } : {}),
          },
        },
        {
          name: 'catalogue',
          digest: { sha256: catalogue.sha256 },
          annotations: { revision: result.catalogue.revision, ...scopeStated(result) },
        },
        {
          name: 'specification',
          digest: { sha256: specification.sha256 },
          annotations: { revision: specification.revision, date: specification.date },
        },
      ],
      passedTests: ids('pass', 'note'),
      warnedTests: ids('warn'),
      failedTests: ids('fail'),
    },
  };
}

/** States the scope of the certificate and its limits, so that it is not overestimated. */
function scopeStated(result: RunResult): Readonly<Record<string, unknown>> {
  const { claims, models } = result.target;
  return {
    claim: claimInWords(result),
    ...(claims === undefined ? {} : { claims }),
    ...(models === undefined ? {} : { models }),
    ...scopeOf(result),
  };
}

/** Only a conformant run passes. */
function resultOf({ verdict, counts }: RunResult): Statement['predicate']['result'] {
  if (verdict !== 'conformant') return 'FAILED';
  return counts.warn > 0 ? 'WARNED' : 'PASSED';
}
