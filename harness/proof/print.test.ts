import { expect, test } from 'vitest';
import type { CheckVerdict } from '../kernel/core/verdict.ts';
import type { Killing } from './matrix.ts';
import { printChanges, printProof } from './print.ts';

const fail: CheckVerdict = { state: 'fail', expected: 'a', actual: 'an answer', evidence: null };

function line(id: string, more: Partial<Killing> = {}): Killing {
  const fault = { id, what: 'It does one thing wrong.', breaks: ['s/a.b'] };
  const nothing = { survived: [], otherFailures: [], unexpected: [], missing: [], undecided: [] };
  return { fault, killedBy: ['s/a.b'], ...nothing, ...more };
}

const good = { verdicts: new Map(), unbroken: null, matrix: [line('area.first')] };
const changed = {
  ...good,
  matrix: [
    line('area.first'),
    line('area.second', {
      unexpected: [{ check: 's/a.c', from: 'pass', to: fail }],
      missing: ['s/a.d'],
    }),
  ],
};

test('one fault that is killed is one fault', () => {
  expect(printProof(good)).toMatch(/^✓ area\.first +killed by 1 check$/m);
  expect(printProof(good)).toMatch(
    /^1 fault: 1 killed, 0 survived, 0 with unexpected failures, 0 without recorded ones\.$/m,
  );
  expect(printChanges(good, 'prove --update')).toBe('');
});

test('what is not as recorded is told below its fault, and at the end with what accepts it', () => {
  const printed = printProof(changed);
  expect(printed).toMatch(/^✗ area\.second/m);
  expect(printed).toMatch(/^ +unexpected +s\/a\.c: pass → fail, an answer$/m);
  expect(printed).toMatch(/^ +no longer +s\/a\.d/m);
  const end = printChanges(changed, 'touchstone prove --update');
  expect(end).toContain('  area.second\n    + s/a.c\n    - s/a.d\n');
  expect(end).toContain('accept them: touchstone prove --update\n');
});
