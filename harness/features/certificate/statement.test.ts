import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../../kernel/core/samples/run.ts';
import type { CheckState, CheckVerdict } from '../../kernel/core/verdict.ts';
import type { Environment } from './environment.ts';
import { statementOf } from './statement.ts';

const environment: Environment = {
  format: 'gateway-touchstone/environment',
  version: 1,
  suite: { name: 'gateway-touchstone', version: '0.1.0', sha256: '5'.repeat(64) },
  catalogue: { sha256: 'c'.repeat(64), checks: 9 },
};
const sums = new Map([
  ['report.json', 'a'.repeat(64)],
  ['target.yaml', 'b'.repeat(64)],
]);

const finding = { expected: 'this', actual: 'that', evidence: null };
const verdictOf = (state: CheckState): CheckVerdict => {
  if (state === 'pass') return { state };
  if (state === 'fail' || state === 'warn' || state === 'note') return { state, ...finding };
  const reason = 'a reason';
  if (state === 'untestable') return { state, reason, gap: { kind: 'region', names: [] } };
  if (state === 'inconclusive') return { state, cause: 'control', reason, evidence: null };
  return { state, reason };
};
const run = (...states: CheckState[]) =>
  sampleRun(states.map((state) => sampleCheck(`a/b.${state}`, verdictOf(state))));

test('a statement says which headers are accepted beyond the specification', () => {
  const acceptsAlso = [{ protocol: 'messages', headers: ['Authorization: Bearer'] }] as const;
  const { target, ...rest } = run('pass');
  const lenient = { ...rest, target: { ...target, acceptsAlso } };
  const { configuration } = statementOf(lenient, environment, sums).predicate;
  expect(configuration[0]).toMatchObject({ name: 'target.yaml', annotations: { acceptsAlso } });
});

test('a statement is an in-toto Statement with the predicate for test results', () => {
  const result = run('pass', 'note', 'warn', 'not-applicable');
  expect(statementOf(result, environment, sums)).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'report.json', digest: { sha256: 'a'.repeat(64) } },
      { name: 'target.yaml', digest: { sha256: 'b'.repeat(64) } },
    ],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: 'WARNED',
      configuration: [
        { name: 'target.yaml', digest: { sha256: 'b'.repeat(64) } },
        {
          name: 'gateway-touchstone',
          digest: { sha256: '5'.repeat(64) },
          annotations: {
            version: '0.1.0',
            seed: 42,
            strict: false,
            runId: result.runId,
            startedAt: result.startedAt,
            verdict: 'conformant',
          },
        },
        {
          name: 'catalogue',
          digest: { sha256: 'c'.repeat(64) },
          annotations: {
            revision: 1,
            claim: null,
            profiles: [],
            restrictions: [],
            leftOut: [],
            musts: {
              all: 2,
              judged: 1,
              leftOpen: [],
              notApplicable: 1,
              unclaimed: 0,
            },
          },
        },
        {
          name: 'specification',
          digest: { sha256: '0'.repeat(64) },
          annotations: { revision: 1, date: '2025-01-01' },
        },
      ],
      passedTests: ['a/b.pass', 'a/b.note'],
      warnedTests: ['a/b.warn'],
      failedTests: [],
    },
  });
});

test('a statement says what was claimed, and what was left open', () => {
  const { target, ...rest } = run('pass');
  const left = sampleCheck('metering/ledger.kept', {
    ...{ state: 'untestable', reason: 'no probe', restriction: 'without-probes' },
    gap: { kind: 'probe', names: ['ledger'] },
  });
  const claims = { profiles: ['chat'], stated: true };
  const models = { judged: ['m-1'], listed: 9, leftOut: 8, named: [] };
  const stated = statementOf(
    {
      ...rest,
      checks: [...rest.checks, left],
      target: { ...target, claims, models, withoutProbes: true },
    },
    environment,
    sums,
  );
  expect(stated.predicate.configuration[2]?.annotations).toMatchObject({
    ...{ claim: 'profile chat; without-probes', claims, models, restrictions: ['without-probes'] },
    musts: { all: 2, judged: 1, leftOpen: ['metering/ledger.kept'] },
  });
});

test.each<[string, CheckState[]]>([
  ['PASSED', ['pass', 'note', 'not-applicable']],
  ['WARNED', ['pass', 'warn']],
  ['FAILED', ['pass', 'fail']],
  ['FAILED', ['pass', 'untestable']],
  ['FAILED', ['pass', 'excluded']],
  ['FAILED', ['pass', 'inconclusive']],
  ['FAILED', ['pass', 'error']],
  ['FAILED', []],
])('it says %s of a run with %j', (result, states) => {
  expect(statementOf(run(...states), environment, sums).predicate.result).toBe(result);
});
