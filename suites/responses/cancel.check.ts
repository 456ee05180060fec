import {
  check,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  mustBeServed,
  scenario,
} from '../../harness/index.ts';
import { endedTooSoon, idOfLongRun, longRun, longRunLimit } from '../long-runs.ts';
import { ordinary } from '../ordinary.ts';
import { runningResponse } from '../stored-responses.ts';
import { expectStillRunning } from '../while-running.ts';
import {
  cancelled,
  cancelledTooLate,
  lastOf,
  mustNotHaveComeTooLate,
  terminal,
} from './background-runs.ts';
import { foregroundCancelled } from './deletion.ts';
import { cancelledWhileStreaming, expectEndedEarly } from './stopped-streams.ts';

const cancelledTwice = scenario(
  'responses/cancelled-twice',
  { after: { cancelled }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { cancelled }) => ({
    ...cancelled,
    second: await responses.cancel(cancelled.id),
  }),
);

/** A run beside one that is cancelled: it was started before that, and is looked up after it. */
const besideCancelled = scenario(
  'responses/beside-a-cancelled',
  {
    after: { other: runningResponse('responses/left-running') },
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

check('responses/cancel.no-body-served', cancelled, (cancelled) => {
  mustNotHaveComeTooLate(cancelled);
  expect(cancelled.cancel).toBeServed();
});

check('responses/cancel.still-stored', cancelled, ({ cancel, lookups, later }) => {
  mustBeServed(cancel);
  for (const lookup of [lookups[0] ?? later, later]) expect(lookup).toBeServed();
});

check('responses/cancel.ends-the-run', cancelledWhileStreaming, ({ stream, stop }) => {
  mustHaveBeenRunning(stop);
  expectEndedEarly(stream, stop);
});

check('responses/cancel.leaves-others', besideCancelled, ({ stop, before, after }) => {
  mustHaveBeenRunning(stop);
  expectStillRunning({ before, after });
});

check('responses/cancel.shape', cancelled, ({ id, cancel }) => {
  mustBeServed(cancel);
  expect(cancel).toMatchSchema('responses/response');
  expect(cancel).toHave('id', (body) => Reflect.get(Object(body), 'id') === id);
});

check('responses/cancel.stops-it', cancelled, ({ cancel, lookups, later }) => {
  mustHaveBeenRunning(cancel);
  const last = lastOf(lookups);
  mustBeServed([last, later].filter((lookup) => !terminal.includes(ending(lookup))));
  for (const lookup of [last, later]) {
    expectValue(ending(lookup), { as: 'status', of: lookup }).toEqual('cancelled');
  }
});

check('responses/cancel.twice', cancelledTwice, ({ cancel, lookups, second }) => {
  mustHaveBeenRunning(cancel);
  const last = lastOf(lookups);
  if (ending(last) !== 'cancelled') throw new Inconclusive('the run was not cancelled', last);
  expect(second).toBeServed();
  expectValue(ending(second), { as: 'status', of: second }).toEqual('cancelled');
});

check('responses/cancel.finished-unchanged', cancelledTooLate, ({ lookups, before, ...rest }) => {
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

const foreground = scenario(
  'responses/foreground-cancel-refused',
  {
    after: { tried: foregroundCancelled, control: ordinary.cancel },
    cost: { requests: 0, generations: 0 },
  },
  async (_, { tried, control }) => ({ ...tried, control: control.ordinary }),
);

check('responses/cancel.foreground-refused', foreground, ({ attempt, control }) => {
  expect(attempt).toBeRefused({ control });
});

/** @throws {Inconclusive} when the cancel was refused, or says that the run had ended */
function mustHaveBeenRunning(cancel: Exchange): void {
  mustBeServed(cancel);
  if (ending(cancel) !== 'completed' && ending(cancel) !== 'incomplete') return;
  throw new Inconclusive(endedTooSoon, cancel);
}
