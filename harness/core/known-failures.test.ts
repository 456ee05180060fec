import { describe, expect, test } from 'vitest';
import { excuse, readKnownFailures, unknownOf } from './known-failures.ts';
import { type CheckResult, countsOf, type RunResult } from './result.ts';
import { type CheckState, type CheckVerdict, runVerdict } from './verdict.ts';

const states = {
  'a/b.fails': 'fail',
  'a/b.each:one': 'fail',
  'a/b.each:two': 'pass',
  'a/b.warns': 'warn',
  'a/b.passes': 'pass',
  'a/b.undecided': 'inconclusive',
  'a/b.left-out': 'excluded',
  'a/b.not-offered': 'not-applicable',
} as const;

function verdictIn(state: CheckState): CheckVerdict {
  const reason = 'r';
  switch (state) {
    case 'pass':
      return { state };
    case 'fail':
    case 'warn':
    case 'note':
      return { state, expected: 'x', actual: 'y', evidence: null };
    case 'untestable':
      return { state, reason, gap: { kind: 'region', names: [] } };
    case 'inconclusive':
      return { state, cause: 'control', reason, evidence: null };
    default:
      return { state, reason };
  }
}

function runOf(chosen: Readonly<Record<string, CheckState>>, strict = false): RunResult {
  const checks = Object.entries(chosen).map(
    ([id, state]): CheckResult => ({
      id,
      suite: 'a',
      requirement: id.replace(/:.*/, ''),
      level: state === 'warn' ? 'SHOULD' : 'MUST',
      text: 'It holds.',
      basis: { citations: [], judgement: 'Here.' },
      scenarios: [],
      verdict: verdictIn(state),
    }),
  );
  return {
    suiteVersion: '0.0.0',
    target: { name: 't', regions: [] },
    seed: 1,
    runId: 'r',
    startedAt: '2025-01-01T00:00:00.000Z',
    durationMs: 1,
    verdict: runVerdict(checks, { strict }),
    strict,
    interrupted: false,
    filters: [],
    counts: countsOf(checks),
    traffic: {
      requests: 0,
      generations: 0,
      spanMs: 0,
      longestChainMs: 0,
      longestChainRequests: 0,
      longestChainPausesMs: 0,
      latencyMs: 0,
    },
    specification: { revision: 1, date: '2025-01-01', sha256: '0'.repeat(64) },
    checks,
    unchecked: [],
  };
}

const listed = (...ids: string[]) => ids.map((id, index) => ({ id, line: index + 1 }));
const failing = { 'a/b.fails': 'fail', 'a/b.each:one': 'fail', 'a/b.each:two': 'pass' } as const;

test('a file has an id on each line, comments and empty lines', () => {
  const text = '# why\n\n  a/b.fails  # ticket 7\r\na/b.each:one';
  expect(readKnownFailures(text)).toEqual([
    { id: 'a/b.fails', line: 3 },
    { id: 'a/b.each:one', line: 4 },
  ]);
});

test('ids of checks and of requirements are known; the beginning of one is not', () => {
  const checks = [{ id: 'a/b.each:one', requirement: { id: 'a/b.each' } }];
  const known = listed('a/b.each:one', 'a/b.each', 'a/b.ea', 'a/b.each:two');
  expect(unknownOf(known, checks).map(({ id }) => id)).toEqual(['a/b.ea', 'a/b.each:two']);
});

describe('the verdict', () => {
  test('is what it would be without the known failures, which stay what they are', () => {
    const result = excuse(runOf(failing), 'known.txt', listed('a/b.fails', 'a/b.each'));
    expect(result.verdict).toBe('conformant');
    expect(result.knownFailures).toEqual({
      file: 'known.txt',
      entries: ['a/b.fails', 'a/b.each'],
      excused: ['a/b.fails', 'a/b.each:one'],
      stale: [],
    });
    expect(result.checks[0]?.verdict.state).toBe('fail');
  });

  test('is red for a failure that is not listed', () => {
    expect(excuse(runOf(failing), 'k', listed('a/b.fails')).verdict).toBe('nonconformant');
  });

  test('is red when a listed one does not fail any more, though nothing else fails', () => {
    const result = excuse(runOf({ 'a/b.passes': 'pass' }), 'k', listed('a/b.passes'));
    expect(result.verdict).toBe('nonconformant');
    expect(result.knownFailures?.stale).toEqual(['a/b.passes']);
  });

  test('stays partial or undecided', () => {
    const partial = runOf({ ...failing, 'a/b.left-out': 'excluded' });
    expect(excuse(partial, 'k', listed('a/b.fails', 'a/b.each')).verdict).toBe('partial');
    const undecided = runOf({ ...failing, 'a/b.undecided': 'inconclusive' });
    expect(excuse(undecided, 'k', listed('a/b.fails', 'a/b.each')).verdict).toBe('indeterminate');
  });
});

test('a warning fails a strict run only, and is stale in neither', () => {
  const warns = { 'a/b.warns': 'warn', 'a/b.passes': 'pass' } as const;
  const lenient = excuse(runOf(warns), 'k', listed('a/b.warns'));
  expect(lenient.knownFailures).toMatchObject({ excused: [], stale: [] });
  const strict = excuse(runOf(warns, true), 'k', listed('a/b.warns'));
  expect(strict.knownFailures).toMatchObject({ excused: ['a/b.warns'], stale: [] });
  expect(strict.verdict).toBe('conformant');
});

test('what could not be decided or was left out is not stale; what is not offered is', () => {
  const ids = Object.keys(states);
  const stale = excuse(runOf(states), 'k', listed(...ids)).knownFailures?.stale;
  expect(stale).toEqual(['a/b.each:two', 'a/b.passes', 'a/b.not-offered']);
});
