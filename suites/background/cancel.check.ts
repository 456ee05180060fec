import {
  assumeServed,
  check,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  judgeByFirst,
  present,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import {
  assumeCancelledInTime,
  cancelled,
  expectStillRunning,
  lastOf,
  polled,
  terminal,
} from '../scenarios/running/background-runs.ts';
import { besideCancelled } from '../scenarios/running/beside-cancelled.ts';
import {
  endedByItself,
  endedMeanwhile,
  notApplicableOnceEnded,
} from '../scenarios/running/long-runs.ts';
import { cancelledWhileStreaming, expectEndedEarly } from '../scenarios/running/stopped-streams.ts';
import { foregroundCancelled } from '../scenarios/stored/foreground-cancel.ts';

const cancelledTwice = scenario(
  'background/cancelled-twice',
  { after: { cancelled }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { cancelled }) => ({
    ...cancelled,
    second: await responses.cancel(cancelled.id),
  }),
);

check('background/cancel.no-body-served', cancelled, (cancelled) => {
  assumeCancelledInTime(cancelled);
  expect(cancelled.cancel).toBeServed();
});

check('background/cancel.still-stored', cancelled, ({ cancel, lookups, later }) => {
  assumeServed(cancel);
  for (const lookup of [lookups[0] ?? later, later]) expect(lookup).toBeServed();
});

check(
  'background/cancel.run-ends',
  { streamed: cancelledWhileStreaming, unstreamed: cancelled },
  ({ streamed, unstreamed }, { target }) => {
    judgeByFirst(
      () => expectEndedEarly(streamed, target),
      () => {
        const last = endOf(unstreamed);
        expectValue(ending(last), { as: 'status', of: last }).toBe(
          'not completed, as of a run that was stopped',
          (status) => status !== 'completed',
        );
      },
    );
  },
);

check('background/cancel.leaves-others', besideCancelled, ({ seen, stop, before, after }) => {
  notApplicableOnceEnded(before);
  notApplicableOnceEnded(seen);
  assumeServed(stop);
  expectStillRunning({ before, after });
});

check('background/cancel.shape', cancelled, ({ id, cancel }) => {
  assumeServed(cancel);
  expect(cancel).toMatchSchema('responses/response');
  expect(cancel).toHave('id', (body) => Reflect.get(Object(body), 'id') === id);
});

check('background/cancel.stops-run', cancelled, (cancelled) => {
  const last = endOf(cancelled);
  assumeServed([cancelled.later].filter((lookup) => !terminal.includes(ending(lookup))));
  for (const lookup of [last, cancelled.later]) {
    expectValue(ending(lookup), { as: 'status', of: lookup }).toEqual('cancelled');
  }
});

check('background/cancel.repeat-served', cancelledTwice, ({ second, ...cancelled }) => {
  const last = endOf(cancelled);
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

interface Cancelled {
  readonly before: Exchange | null;
  readonly cancel: Exchange;
  readonly lookups: readonly Exchange[];
}

/**
 * The lookup that shows how a run ended that was cancelled while it ran.
 *
 * @throws {NothingToJudge | Inconclusive} when it had ended by itself, or the cancel was refused
 */
function endOf({ before, cancel, lookups }: Cancelled): Exchange {
  notApplicableOnceEnded(before);
  assumeServed(cancel);
  if (endedByItself.includes(ending(cancel)))
    throw endedMeanwhile(present(before, 'lookup'), cancel);
  const last = lastOf(lookups);
  if (!terminal.includes(ending(last))) assumeServed(last);
  return last;
}

check(
  'background/cancel.cancelled-at-the-end',
  { lastLook, cancelled, control: baseline.lookup },
  ({ lastLook }) =>
    judgeLooks(lastLook, 'cancelled', ({ now }) => {
      assumeServed(now);
      expectValue(ending(now), { as: 'status', of: now }).toEqual('cancelled');
    }),
);
