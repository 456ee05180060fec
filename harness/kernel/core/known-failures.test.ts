import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowing,
  excuse,
  failsRun,
  isDay,
  listedIn,
  readKnownFailures,
  unknownOf,
  verdictThatCounts,
} from './known-failures.ts';
import type { RunResult } from './result.ts';
import { sampleCheck, sampleRun } from './samples/run.ts';
import {
  allowableCauses,
  binds,
  type CheckState,
  type CheckVerdict,
  checkStates,
  exitCode,
} from './verdict.ts';

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
  const checks = Object.entries(chosen).map(([id, state]) => sampleCheck(id, verdictIn(state)));
  return sampleRun(checks, { strict, startedAt: '2025-01-01T00:00:00.000Z' });
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

test('an entry may name its last day', () => {
  const text = 'a/b.fails  until 2027-01-31  # ticket 7\na/b.each:one # until 2027-01-31';
  expect(readKnownFailures(text)).toEqual([
    { id: 'a/b.fails', line: 1, until: '2027-01-31' },
    { id: 'a/b.each:one', line: 2 },
  ]);
  expect(['2027-01-31', '2028-02-29'].map(isDay)).toEqual([true, true]);
  expect(['2027-02-29', '31.1.2027', '2027-1-31', ''].some(isDay)).toBe(false);
});

test('ids of checks and of requirements are known; the beginning of one is not', () => {
  const checks = [{ id: 'a/b.each:one', requirement: { id: 'a/b.each' } }];
  const known = listed('a/b.each:one', 'a/b.each', 'a/b.ea', 'a/b.each:two');
  expect(unknownOf(known, checks).map(({ id }) => id)).toEqual(['a/b.ea', 'a/b.each:two']);
});

describe('the verdict', () => {
  test('is what it would be without the known failures, which stay what they are', () => {
    const result = excuse(runOf(failing), 'known.txt', listed('a/b.fails', 'a/b.each'));
    expect(result.verdict).toBe('known-failures');
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

describe('an entry with a last day', () => {
  const until = (day: string, id = 'a/b.fails') => [{ id, line: 1, until: day }];
  const fails = { 'a/b.fails': 'fail', 'a/b.passes': 'pass' } as const;

  test('counts on that day, and not on the next', () => {
    expect(excuse(runOf(fails), 'k', until('2025-01-01')).verdict).toBe('known-failures');
    const over = excuse(runOf(fails), 'k', until('2024-12-31'));
    expect(over.verdict).toBe('nonconformant');
    expect(over.knownFailures).toMatchObject({ excused: [], expired: ['a/b.fails'] });
  });

  test('fails the run once it is over, also where nothing of it was run', () => {
    const left = { 'a/b.left-out': 'excluded', 'a/b.passes': 'pass' } as const;
    const over = excuse(runOf(left), 'k', until('2024-12-31', 'a/b.left-out'));
    expect(over.verdict).toBe('nonconformant');
    // A check that passes now must leave the list. A new date is not needed.
    const fixed = excuse(runOf(left), 'k', until('2024-12-31', 'a/b.passes'));
    expect(fixed.knownFailures).toMatchObject({ stale: ['a/b.passes'] });
    expect(fixed.knownFailures?.expired).toBeUndefined();
  });

  test('counts as long as one of its lines does', () => {
    const twice = [...until('2024-12-31'), ...until('2025-06-30')];
    expect(excuse(runOf(fails), 'k', twice).verdict).toBe('known-failures');
    const always = [...until('2024-12-31'), ...listed('a/b.fails')];
    expect(excuse(runOf(fails), 'k', always).knownFailures?.until).toBeUndefined();
  });
});

describe('what is undecided', () => {
  const waits = { 'a/b.fails': 'fail', 'a/b.undecided': 'inconclusive' } as const;
  const behind = (...ids: string[]): RunResult => {
    const run = runOf({ ...waits, 'a/b.passes': 'pass' });
    const checks = run.checks.map((check) =>
      check.verdict.state === 'inconclusive'
        ? { ...check, verdict: { ...check.verdict, behind: ids, evidence } }
        : check,
    );
    return { ...run, checks };
  };
  const evidence = { exchange: 'x#main/0', request: '', outcome: '500', received: '', curl: '' };

  test('because of a known failure is covered by it', () => {
    const result = excuse(behind('a/b.fails'), 'k', listed('a/b.fails'));
    expect(result.verdict).toBe('known-failures');
    expect(result.knownFailures?.covered).toEqual(['a/b.undecided']);
    expect(listedIn(result).get('a/b.undecided')).toBe('covered');
  });

  test('for another reason is not, nor because of what is not listed', () => {
    expect(excuse(behind(), 'k', listed('a/b.fails')).verdict).toBe('indeterminate');
    expect(excuse(behind('a/b.fails'), 'k', []).verdict).toBe('nonconformant');
    // The check itself may be listed: that does not say why it is undecided.
    const itself = excuse(behind(), 'k', listed('a/b.fails', 'a/b.undecided'));
    expect(itself.verdict).toBe('indeterminate');
  });

  test('may be allowed by its cause: the verdict stays, and another one counts', () => {
    const run = runOf({ 'a/b.undecided': 'inconclusive', 'a/b.passes': 'pass' });
    const allowed = allowing(run, ['control']);
    expect([allowed.verdict, verdictThatCounts(allowed)]).toEqual(['indeterminate', 'conformant']);
    expect(verdictThatCounts(allowing(run, ['timeout']))).toBe('indeterminate');
    // A run that judged nothing does not count as conformant.
    const nothing = allowing(runOf({ 'a/b.undecided': 'inconclusive' }), ['control']);
    expect(verdictThatCounts(nothing)).toBe('indeterminate');
  });
});

describe('whatever is listed and allowed', () => {
  const state = fc.constantFrom(...checkStates);
  const states = fc.array(state, { minLength: 1, maxLength: 8 });
  const given = fc.record({
    states,
    // By their places: what explains what, what is listed, and until when.
    behind: fc.array(fc.nat(7), { maxLength: 3 }),
    listed: fc.array(fc.tuple(fc.nat(7), fc.constantFrom(undefined, '2024-12-31', '2025-01-01'))),
    allowed: fc.subarray([...allowableCauses]),
    strict: fc.boolean(),
  });
  const idOf = (place: number) => `a/b.c${place}`;

  test('a failure that no entry counts for fails the run, and exit 0 leaves nothing unaccounted', () => {
    fc.assert(
      fc.property(given, (one) => {
        const run = runOf(
          Object.fromEntries(one.states.map((chosen, place) => [idOf(place), chosen])),
          one.strict,
        );
        const evidence = { exchange: 'x', request: '', outcome: '500', received: '', curl: '' };
        const checks = run.checks.map((check) =>
          check.verdict.state === 'inconclusive'
            ? { ...check, verdict: { ...check.verdict, behind: one.behind.map(idOf), evidence } }
            : check,
        );
        const known = one.listed.map(([place, until]) => ({
          id: idOf(place),
          line: 1,
          ...(until === undefined ? {} : { until }),
        }));
        const result = allowing(excuse({ ...run, checks }, 'k', known), one.allowed);
        const counts = new Set(
          known.flatMap(({ id, until = '2025-01-01' }) => (until < '2025-01-01' ? [] : [id])),
        );
        const verdict = verdictThatCounts(result);
        const code = exitCode(verdict, { allowPartial: true });
        const unlisted = checks.filter(
          (check) => failsRun(check, one.strict) && !counts.has(check.id),
        );
        if (unlisted.length > 0) expect(code).toBe(1);
        if (code !== 0) return;
        const covered = result.knownFailures?.covered ?? [];
        for (const check of checks) {
          const { id, level } = check;
          if (check.verdict.state === 'error') expect.fail(`${id} is in error`);
          if (check.verdict.state !== 'inconclusive' || !binds(level, one.strict)) continue;
          const isAllowed = one.allowed.includes(check.verdict.cause);
          expect(isAllowed || covered.includes(id)).toBe(true);
          if (!covered.includes(id)) continue;
          const failed = checks.filter(
            (other) => 'actual' in other.verdict && counts.has(other.id),
          );
          expect(failed.some((other) => one.behind.map(idOf).includes(other.id))).toBe(true);
        }
      }),
      {
        // The third check waits for an unlisted warning, whose cause a listed one shares.
        examples: [
          [
            {
              states: ['pass', 'pass', 'inconclusive', 'warn', 'warn'],
              ...{ behind: [3], listed: [[4, undefined]], allowed: [], strict: false },
            },
          ],
        ],
      },
    );
  });
});

test('a warning fails a strict run only, and is stale in neither', () => {
  const warns = { 'a/b.warns': 'warn', 'a/b.passes': 'pass' } as const;
  const lenient = excuse(runOf(warns), 'k', listed('a/b.warns'));
  expect(lenient.knownFailures).toMatchObject({ excused: [], stale: [] });
  const strict = excuse(runOf(warns, true), 'k', listed('a/b.warns'));
  expect(strict.knownFailures).toMatchObject({ excused: ['a/b.warns'], stale: [] });
  expect(strict.verdict).toBe('known-failures');
});

test('what could not be decided or was left out is not stale; what is not offered is', () => {
  const ids = Object.keys(states);
  const stale = excuse(runOf(states), 'k', listed(...ids)).knownFailures?.stale;
  expect(stale).toEqual(['a/b.each:two', 'a/b.passes', 'a/b.not-offered']);
});
