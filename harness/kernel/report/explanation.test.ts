import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../core/samples/run.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { explain } from './explanation.ts';

const broken: CheckVerdict = { state: 'fail', expected: 'x', actual: 'y', evidence: null };

/** Returns the next step for a run in which these checks fail. */
function nextAfter(...ids: readonly string[]): string {
  return explain(sampleRun(ids.map((id) => sampleCheck(id, broken)))).next;
}

test('keys that stand in each other’s place look like two faults', () => {
  const refused = 'access/owners.same-user-served:lookup';
  const served = 'access/owners.other-user-denied:lookup';
  const hint = 'Check first whether `keys.sameUser` and `keys.otherUser` are swapped';
  expect(nextAfter(refused, served)).toContain(hint);
  expect(nextAfter(refused, served)).toMatch(/run only that again: .* --seed 42$/);
  expect(nextAfter(refused)).not.toContain(hint);
  expect(nextAfter(served)).not.toContain(hint);
});

test('where all is untestable, the target file is what to look at', () => {
  const untestable = sampleCheck('a/b.c', {
    state: 'untestable',
    reason: 'say so',
    gap: { kind: 'key', names: ['otherUser'] },
  });
  expect(explain(sampleRun([untestable], { verdict: 'indeterminate' })).next).toBe(
    'Nothing could be judged: add to the target file what "Untestable" asks for.',
  );
});
