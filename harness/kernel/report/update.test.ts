import { expect, test } from 'vitest';
import { excuse } from '../core/known-failures.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { sampleCheck, sampleRun } from './samples/run.ts';
import { openIn, updated } from './update.ts';

const pass: CheckVerdict = { state: 'pass' };
const fail: CheckVerdict = { state: 'fail', expected: 'a', actual: 'b', evidence: null };
const warn: CheckVerdict = { state: 'warn', expected: 'a', actual: 'b', evidence: null };
const open: CheckVerdict = {
  state: 'inconclusive',
  cause: 'prerequisite',
  reason: '503',
  evidence: null,
};
const error: CheckVerdict = { state: 'error', reason: 'a fault' };
const out: CheckVerdict = { state: 'excluded', reason: 'not asked for' };

const run = (verdicts: Record<string, CheckVerdict>, strict = false) =>
  sampleRun(
    Object.entries(verdicts).map(([id, verdict]) => sampleCheck(id, verdict)),
    { strict },
  );

const idsOf = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id);

test('what a further run judged takes the place of what was known, and nothing else does', () => {
  const before = run({ fixed: fail, broke: pass, stays: fail, unasked: out });
  const latest = run({ fixed: pass, broke: fail, stays: out, unasked: out });
  const known = updated(before, latest);
  expect(known.checks.map(({ id, verdict }) => [id, verdict.state])).toEqual([
    ['fixed', 'pass'],
    ['broke', 'fail'],
    ['stays', 'fail'],
    ['unasked', 'excluded'],
  ]);
  expect(known.counts).toMatchObject({ pass: 1, fail: 2, excluded: 1 });
  expect(known.verdict).toBe('nonconformant');
  expect(updated(run({ a: fail }), run({ a: pass })).verdict).toBe('conformant');
});

test('open is what keeps a run from being conformant', () => {
  const verdicts = { fails: fail, warns: warn, undecided: open, broken: error, passes: pass };
  expect(idsOf(openIn(run(verdicts)))).toEqual(['fails', 'undecided', 'broken']);
  expect(idsOf(openIn(run(verdicts, true)))).toEqual(['fails', 'warns', 'undecided', 'broken']);
  const may = sampleRun([sampleCheck('may', open, { level: 'MAY' })]);
  expect(openIn(may)).toEqual([]);
});

test('a known failure is not open', () => {
  const excused = excuse(run({ known: fail, fails: fail }), 'known.txt', [
    { id: 'known', line: 1 },
  ]);
  expect(idsOf(openIn(excused))).toEqual(['fails']);
});
