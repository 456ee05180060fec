import {
  assumeServed,
  check,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import {
  assumeCancelledInTime,
  cancelled,
  expectStillRunning,
  lastOf,
  polled,
  terminal,
} from '../scenarios/running/background-runs.ts';
import {
  endedTooSoon,
  idOfLongRun,
  longRun,
  longRunLimit,
} from '../scenarios/running/long-runs.ts';
import { cancelledWhileStreaming, expectEndedEarly } from '../scenarios/running/stopped-streams.ts';
import { foregroundCancelled } from '../scenarios/stored/foreground-cancel.ts';
import { runningResponse } from '../scenarios/stored/stored-responses.ts';

const cancelledTwice = scenario(
  'background/cancelled-twice',
  { after: { cancelled }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { cancelled }) => ({
    ...cancelled,
    second: await responses.cancel(cancelled.id),
  }),
);

/** A run beside one that is cancelled: it was started before that, and is looked up after it. */
const besideCancelled = scenario(
  'background/beside-cancelled',
  {
    after: { other: runningResponse('background/left-running') },
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    cost: (target) => ({ requests: 4, generations: 1, outputTokens: longRunLimit(target) }),
  },
  async ({ responses, target, word }, { other: { id, created: before } }) => {
    const body = { ...longRun(word(), target), store: true, background: true };
    const stop = await responses.cancel(idOfLongRun(await responses.create(body)));
    const after = await responses.lookup(id);
    // Nobody waits for the rest of it, and the user pays.
    await responses.cancel(id);
    return { stop, before, after };
  },
);

check('background/cancel.no-body-served', cancelled, (cancelled) => {
  assumeCancelledInTime(cancelled);
  expect(cancelled.cancel).toBeServed();
});

check('background/cancel.still-stored', cancelled, ({ cancel, lookups, later }) => {
  assumeServed(cancel);
  for (const lookup of [lookups[0] ?? later, later]) expect(lookup).toBeServed();
});

check('background/cancel.run-ends', cancelledWhileStreaming, ({ stream, stop }) => {
  assumeWasRunning(stop);
  expectEndedEarly(stream, stop);
});

check('background/cancel.leaves-others', besideCancelled, ({ stop, before, after }) => {
  assumeWasRunning(stop);
  expectStillRunning({ before, after });
});

check('background/cancel.shape', cancelled, ({ id, cancel }) => {
  assumeServed(cancel);
  expect(cancel).toMatchSchema('responses/response');
  expect(cancel).toHave('id', (body) => Reflect.get(Object(body), 'id') === id);
});

check('background/cancel.stops-run', cancelled, ({ cancel, lookups, later }) => {
  assumeWasRunning(cancel);
  const last = lastOf(lookups);
  assumeServed([last, later].filter((lookup) => !terminal.includes(ending(lookup))));
  for (const lookup of [last, later]) {
    expectValue(ending(lookup), { as: 'status', of: lookup }).toEqual('cancelled');
  }
});

check('background/cancel.repeat-served', cancelledTwice, ({ cancel, lookups, second }) => {
  assumeWasRunning(cancel);
  const last = lastOf(lookups);
  if (ending(last) !== 'cancelled') throw new Inconclusive('the run was not cancelled', last);
  expect(second).toBeServed();
  expectValue(ending(second), { as: 'status', of: second }).toEqual('cancelled');
});

/** A run that has ended, cancelled. */
const cancelledTooLate = scenario(
  'background/cancelled-too-late',
  { after: { polled }, cost: { requests: 2, generations: 0 } },
  async ({ responses }, { polled: { id, lookups, later } }) => {
    const cancel = await responses.cancel(id);
    return { lookups, before: later, cancel, after: await responses.lookup(id) };
  },
);

check('background/cancel.finished-unchanged', cancelledTooLate, ({ lookups, before, ...rest }) => {
  const last = lastOf(lookups);
  // A status may be shown before the text that belongs to it: what comes by itself, no cancel has changed.
  const changed = before.find(
    (lookup) => ending(lookup) !== ending(last) || generatedText(lookup) !== generatedText(last),
  );
  if (changed !== undefined) {
    throw new Inconclusive('the response did not keep its status and its text', changed);
  }
  const status = rest.cancel.response?.status ?? 0;
  // Natively it is answered with the response, or refused: sources disagree.
  if (status < 400) expect(rest.cancel).toBeServed();
  else expect(rest.cancel).toBeRefused();
  for (const lookup of before) expect(rest.after).toHaveSameAnswerAs(lookup);
});

check(
  'background/cancel.foreground-refused',
  { tried: foregroundCancelled, control: baseline.cancel },
  ({ tried, control }) => {
    expect(tried.attempt).toBeRefused({ control: control.baseline });
  },
);

/** @throws {Inconclusive} when the cancel was refused, or says that the run had ended */
function assumeWasRunning(cancel: Exchange): void {
  assumeServed(cancel);
  if (ending(cancel) !== 'completed' && ending(cancel) !== 'incomplete') return;
  throw new Inconclusive(endedTooSoon, cancel);
}
