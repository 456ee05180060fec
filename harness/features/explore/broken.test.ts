import { expect, test } from 'vitest';
import { addPerformed, type Explored, nothingExplored, withoutChance } from './finds.ts';
import { actOn, create, history, response, sentOf } from './testing.ts';
import type { Violation } from './violation.ts';

const made = sentOf(create, response('here'));
const act = actOn(1, 'lookup');
const steps = { steps: [[create], [act]] };

/** A lookup that has to be served, whose connection broke or whose answer was another. */
function performed(kind: 'reset' | null, shows: boolean, drawn: boolean) {
  const { exchange, ...rest } = sentOf(act, {}, { served: kind === null ? false : null });
  const failure = kind === null ? null : { kind, message: 'broken' };
  const one = { ...rest, exchange: { ...exchange, failure } };
  const violation: Violation = {
    ...{ n: 1, level: 'MUST', row: null, clause: 'END-20', kind: 'lookup that has to be served' },
    ...{ expected: 'served', actual: 'something else', exchange: one.exchange },
  };
  const whole = shows ? history(made, one) : history(made, sentOf(act, response('here')));
  const violations = shows ? [violation] : [];
  return { name: '', number: 1, drawn, history: steps, sent: whole, violations };
}

function exploredWith(kind: 'reset' | null, tries: readonly boolean[]): Explored {
  const explored = nothingExplored(1);
  addPerformed(explored, performed(kind, true, true));
  for (const shows of tries) addPerformed(explored, performed(kind, shows, false));
  withoutChance(explored);
  return explored;
}

test('a connection that broke once is undecided: the gateway may have been restarted', () => {
  expect(exploredWith('reset', [])).toMatchObject({ finds: [], unknown: 1, decided: 0 });
  expect(exploredWith('reset', [true, true, true, false]).finds).toEqual([]);
});

test('one that breaks each time when the same is asked again is found', () => {
  expect(exploredWith('reset', [true, true, true]).finds).toMatchObject([
    { again: { times: 3, tries: 3 } },
  ]);
});

test('one that breaks when nothing else is answered is found if the gateway is there afterwards', () => {
  const explored = nothingExplored(1);
  const { sent, ...rest } = performed('reset', true, false);
  const { exchange, ...one } = sentOf(create, response('here'));
  const gone = history(
    { ...one, exchange: { ...exchange, response: null } },
    ...[...sent.values()].slice(1).map((last) => ({
      ...last,
      exchange: { ...last.exchange, response: null },
    })),
  );
  addPerformed(explored, performed('reset', true, true));
  for (const _ of [1, 2, 3]) addPerformed(explored, { ...rest, sent: gone });
  expect(explored.finds).toMatchObject([{ again: { tries: 0 } }]);
  addPerformed(explored, { ...performed('reset', false, true) });
  expect(explored.finds).toMatchObject([{ again: { times: 3, tries: 3 } }]);
});

test('another answer is found, however often it comes', () => {
  expect(exploredWith(null, [false])).toMatchObject({ finds: [{}], unknown: 0, decided: 1 });
});
