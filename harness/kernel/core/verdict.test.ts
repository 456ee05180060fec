import { describe, expect, test } from 'vitest';
import {
  type CheckState,
  type CheckVerdict,
  checkStates,
  exitCode,
  exitCodes,
  type Judged,
  type RunVerdict,
  runVerdict,
  worstExitCode,
} from './verdict.ts';

const verdicts: Record<CheckState, CheckVerdict> = {
  pass: { state: 'pass' },
  fail: { state: 'fail', expected: 'a', actual: 'b', evidence: null },
  warn: { state: 'warn', expected: 'a', actual: 'b', evidence: null },
  note: { state: 'note', expected: 'a', actual: 'b', evidence: null },
  'not-applicable': { state: 'not-applicable', reason: 'not offered' },
  untestable: { state: 'untestable', reason: 'no key', gap: { kind: 'key', names: ['otherUser'] } },
  inconclusive: { state: 'inconclusive', cause: 'prerequisite', reason: '503', evidence: null },
  excluded: { state: 'excluded', reason: 'filtered out' },
  error: { state: 'error', reason: 'our fault' },
};

/** `MUST pass` */
function judged(text: string): Judged {
  const level = (['MUST', 'SHOULD', 'MAY'] as const).find((name) => text.startsWith(`${name} `));
  const state = checkStates.find((name) => text.endsWith(` ${name}`));
  if (level === undefined || state === undefined) throw new Error(`No such judgement: ${text}`);
  return { level, verdict: verdicts[state] };
}

function verdictOf(checks: string[], options?: { strict: boolean }): RunVerdict {
  return runVerdict(checks.map(judged), options);
}

describe('the verdict of a run', () => {
  // Expected verdict of a run with one passed MUST and one check in this state, which is a MUST, a SHOULD or a MAY.
  const all = (verdict: RunVerdict) => [verdict, verdict, verdict];
  const usual: Record<CheckState, readonly RunVerdict[]> = {
    pass: all('conformant'),
    fail: all('nonconformant'),
    warn: all('conformant'),
    note: all('conformant'),
    'not-applicable': all('conformant'),
    untestable: ['partial', 'conformant', 'conformant'],
    excluded: ['partial', 'conformant', 'conformant'],
    inconclusive: ['indeterminate', 'conformant', 'conformant'],
    error: all('indeterminate'),
  };
  const strict: Record<CheckState, readonly RunVerdict[]> = {
    ...usual,
    warn: all('nonconformant'),
    untestable: ['partial', 'partial', 'conformant'],
    excluded: ['partial', 'partial', 'conformant'],
    inconclusive: ['indeterminate', 'indeterminate', 'conformant'],
  };
  const table = checkStates.flatMap((state) =>
    ['MUST', 'SHOULD', 'MAY'].map((level, n) => ({
      check: `${level} ${state}`,
      usual: usual[state][n],
      strict: strict[state][n],
    })),
  );

  test.each(table)('beside a pass, $check is $usual, and strict $strict', (row) => {
    for (const checks of [
      ['MUST pass', row.check],
      [row.check, 'MUST pass'],
    ]) {
      expect(verdictOf(checks)).toBe(row.usual);
      expect(verdictOf(checks, { strict: true })).toBe(row.strict);
    }
  });

  // A skip is never green: where nothing was judged there is nothing to say.
  test.each([
    { checks: [] },
    { checks: ['MUST not-applicable'] },
    { checks: ['MUST untestable'] },
    { checks: ['MUST excluded'] },
    { checks: ['MUST inconclusive'] },
    { checks: ['MUST error'] },
    { checks: ['MAY inconclusive', 'SHOULD excluded', 'MUST not-applicable'] },
  ])('a run in which nothing was judged is indeterminate: $checks', ({ checks }) => {
    expect(verdictOf(checks)).toBe('indeterminate');
    expect(verdictOf(checks, { strict: true })).toBe('indeterminate');
  });

  test.each<{ checks: string[]; worst: RunVerdict }>([
    { checks: ['MUST fail', 'MUST error', 'MUST untestable'], worst: 'nonconformant' },
    { checks: ['MUST untestable', 'MUST inconclusive', 'MUST pass'], worst: 'indeterminate' },
    { checks: ['MUST excluded', 'SHOULD error', 'MUST pass'], worst: 'indeterminate' },
    { checks: ['MUST pass', 'MUST excluded', 'SHOULD warn'], worst: 'partial' },
    { checks: ['SHOULD warn', 'MAY note', 'MUST pass'], worst: 'conformant' },
  ])('the worst wins: $checks is $worst', ({ checks, worst }) => {
    expect(verdictOf(checks)).toBe(worst);
    expect(verdictOf(checks.toReversed())).toBe(worst);
  });
});

describe('the exit code', () => {
  test.each<[RunVerdict, number, number]>([
    ['conformant', 0, 0],
    ['known-failures', 0, 0],
    ['nonconformant', 1, 1],
    ['indeterminate', 2, 2],
    ['partial', 2, 0],
  ])('%s is %i, and %i where a partial run is allowed', (verdict, usual, allowed) => {
    expect(exitCode(verdict)).toBe(usual);
    expect(exitCode(verdict, { allowPartial: true })).toBe(allowed);
  });

  test('no two outcomes share a code', () => {
    const codes = Object.values(exitCodes);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('several runs', () => {
  test('have the exit code that says most about a gateway', () => {
    const { conformant, undecided, unreachable, usage, broken, nonconformant } = exitCodes;
    const worse = [conformant, undecided, unreachable, usage, broken, nonconformant];
    for (const [rank, code] of worse.entries()) {
      expect(worstExitCode(worse.slice(0, rank + 1))).toBe(code);
      expect(worstExitCode([code, ...worse.slice(0, rank)])).toBe(code);
    }
  });

  test('that were none are no success', () => {
    expect(worstExitCode([])).toBe(exitCodes.undecided);
  });
});
