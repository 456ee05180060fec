import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../core/samples/run.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { difference } from './difference.ts';

const pass: CheckVerdict = { state: 'pass' };
const fail: CheckVerdict = { state: 'fail', expected: 'a', actual: 'b', evidence: null };
const skipped: CheckVerdict = {
  state: 'untestable',
  reason: 'no key',
  gap: { kind: 'key', names: ['otherUser'] },
};

function run(verdicts: Record<string, CheckVerdict>) {
  return sampleRun(Object.entries(verdicts).map(([id, verdict]) => sampleCheck(id, verdict)));
}

test('names what broke, what was fixed, and what else changed', () => {
  const older = run({ broke: pass, fixed: fail, gone: pass, opened: skipped, same: fail });
  const newer = run({ broke: fail, fixed: pass, opened: pass, same: fail, added: fail });
  const { regressions, fixes, others } = difference(older, newer);
  expect(regressions.map(({ id, from }) => `${id} ${from}`)).toEqual([
    'broke pass',
    'added absent',
  ]);
  expect(fixes.map(({ id }) => id)).toEqual(['fixed']);
  expect(others.map(({ id, from, to }) => `${id} ${from} ${to}`)).toEqual([
    'gone pass absent',
    'opened untestable pass',
  ]);
  expect(regressions[0]?.why).toBe('expected a, got b');
});

test('a run does not differ from itself', () => {
  const one = run({ a: pass, b: fail });
  expect(difference(one, one)).toEqual({ regressions: [], fixes: [], others: [] });
});
