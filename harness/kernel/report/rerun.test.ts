import { expect, test } from 'vitest';
import type { CheckVerdict } from '../core/verdict.ts';
import { renderRerun } from './rerun.ts';
import { sampleCheck, sampleRun } from './samples/run.ts';
import { updated } from './update.ts';

const pass: CheckVerdict = { state: 'pass' };
const left: CheckVerdict = {
  state: 'excluded',
  reason: 'Passed, or was not tested, the last time',
};
const fail = (actual: string): CheckVerdict => ({
  state: 'fail',
  expected: 'a refusal',
  actual,
  evidence: null,
});
const undecided: CheckVerdict = {
  state: 'inconclusive',
  cause: 'prerequisite',
  reason: 'a 503\nfrom afar',
  evidence: null,
};

const run = (verdicts: Record<string, CheckVerdict>) =>
  sampleRun(Object.entries(verdicts).map(([id, verdict]) => sampleCheck(id, verdict)));

function told(
  older: Record<string, CheckVerdict>,
  newer: Record<string, CheckVerdict>,
  moreFollows = false,
): string {
  const [before, latest] = [run(older), run(newer)];
  const rerun = { before, latest, now: updated(before, latest), moreFollows };
  return renderRerun(rerun, { colour: false, width: 100 });
}

test('what fails as before is named, and what fails anew or otherwise is told in full', () => {
  const text = told(
    { 'a/same': fail('200'), 'a/other': fail('200'), 'a/broke': pass, 'a/fixed': fail('200') },
    { 'a/same': fail('200'), 'a/other': fail('404'), 'a/broke': fail('500'), 'a/fixed': pass },
  );
  expect(text).toContain('✗ a/same  MUST  as before');
  expect(text).toMatch(/✗ a\/other {2}MUST\n.*actual {4}404/s);
  expect(text).toMatch(/✗ a\/broke {2}MUST\n.*actual {4}500/s);
  expect(text).toContain('Fixed (1): a/fixed');
  expect(text).toContain('Broken (1): a/broke');
  expect(text).toContain('NONCONFORMANT: 3 MUST checks failed.');
  expect(text).toContain('1 passed, 3 failed. This time 4 checks, 12 requests');
});

test('of a part, only what it judged is told, and the verdict is of all that is known', () => {
  const text = told(
    { 'a/one': fail('200'), 'a/two': fail('200'), 'a/three': undecided },
    { 'a/one': pass, 'a/two': left, 'a/three': undecided },
  );
  expect(text).not.toContain('✗ a/two');
  expect(text).toContain('? a/three  a 503 from afar\n');
  expect(text).toContain('NONCONFORMANT: 1 MUST check failed.');
  expect(text).toContain('This time 2 checks');
});

test('while the rest is still to be run there is no verdict', () => {
  const text = told(
    { 'a/one': fail('200'), 'a/two': pass },
    { 'a/one': pass, 'a/two': left },
    true,
  );
  expect(text).toContain('Fixed (1): a/one');
  expect(text).toContain('This time 1 check');
  expect(text).not.toMatch(/CONFORMANT|passed/);
});

test('of very many failures the first are told in full, and the others named', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `a/b.number-${index}`);
  const text = told(
    Object.fromEntries(ids.map((id) => [id, pass])),
    Object.fromEntries(ids.map((id) => [id, fail('200')])),
  );
  expect(text.match(/^ {2}expected/gm)).toHaveLength(8);
  for (const id of ids) expect(text).toContain(`✗ ${id}  MUST`);
  expect(text).toContain('Broken (12): ');
  expect(text).toContain('and 2 more');
});
