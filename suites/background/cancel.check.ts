import {
  assumeServed,
  type Cell,
  check,
  contentOf,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  judgeByFirst,
  mostPolls,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import { ends, judgePoints } from '../scenarios/points/judged.ts';
import {
  assumeCancelledInTime,
  cancelled,
  expectStillRunning,
  polled,
} from '../scenarios/running/background-runs.ts';
import { besideCancelled } from '../scenarios/running/interrupted-streams.ts';
import {
  cancelledTwiceStreaming,
  expectEndedEarly,
  expectNotAwaited,
} from '../scenarios/running/stopped-streams.ts';
import {
  endedByItself,
  endedMeanwhile,
  foregroundCancelled,
  idOfLongRun,
  lastOf,
  longRun,
  longRunLimit,
  notApplicableOnceEnded,
  pollToTheEnd,
  running,
  terminal,
} from '../scenarios/stored/stored-responses.ts';

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
  { streamed: cancelledTwiceStreaming, unstreamed: cancelled },
  ({ streamed, unstreamed }) => {
    judgeByFirst(
      () => expectEndedEarly(streamed.first),
      () => expectNotAwaited(streamed),
      () => {
        const last = endOf(unstreamed);
        expectValue(contentOf(last).ending, { as: 'status', of: last }).toBe(
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

interface CancelledAgain extends Cancelled {
  readonly created: Exchange;
}

/** True if the answer to the cancel shows the end of the run, but the lookup just before did not. */
function endedAtItsCancel({ before, cancel }: Cancelled): boolean {
  const hadEnded = before !== null && endedByItself.includes(contentOf(before).ending);
  return !hadEnded && endedByItself.includes(contentOf(cancel).ending);
}

/**
 * Repeats the cancel if the run had ended by itself when its cancel was answered. The scenario cancels two more
 * runs. It also starts one of the same prompt, which it cancels only after it has run for longer. Null if the first
 * cancel is decisive.
 */
const cancelledAgain = scenario(
  'background/cancelled-again',
  {
    after: { cancelled },
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    cost: (target) => ({
      requests: 3 * mostPolls(target) + 10,
      spare: 3 * mostPolls(target) + 10,
      generations: 0,
      fallback: 3,
      outputTokens: longRunLimit(target),
    }),
  },
  async (io, { cancelled }) => {
    if (!endedAtItsCancel(cancelled)) return null;
    const { responses, word, poll } = io;
    const begun = async () => {
      const created = await responses.create({
        ...longRun(word(), io),
        store: true,
        background: true,
      });
      return { id: idOfLongRun(created), created };
    };
    const tries: CancelledAgain[] = [];
    while (tries.length < 2) {
      const { id, created } = await begun();
      const before = await responses.lookup(id);
      const cancel = await responses.cancel(id);
      tries.push({ created, before, cancel, lookups: await pollToTheEnd(io, id) });
    }
    const longest = Math.max(...tries.map(({ created, cancel }) => ageAt(created, cancel)));
    const { id, created } = await begun();
    const uncancelled = await poll(
      () => responses.lookup(id),
      (answer) => terminal.includes(contentOf(answer).ending) || ageAt(created, answer) > longest,
    );
    // The rest of the run has no reader, and costs the user money.
    await responses.cancel(id);
    const last = present(uncancelled.at(-1), 'lookup');
    return { tries, last, ranLonger: running.includes(contentOf(last).ending) };
  },
);

/** Returns the age of a run in milliseconds when an answer about it arrived. */
function ageAt(created: Exchange, answer: Exchange): number {
  return answer.times.ended - created.times.started;
}

check(
  'background/cancel.stops-run',
  { cancelled, cancelledAgain },
  ({ cancelled, cancelledAgain }) => {
    // One run may end by itself while it is being stopped. Three runs do not if the prompt takes longer.
    if (cancelledAgain?.ranLonger && cancelledAgain.tries.every(endedAtItsCancel)) {
      const ends = [cancelled, ...cancelledAgain.tries].map(
        ({ cancel }) => contentOf(cancel).ending,
      );
      expectValue(ends, {
        as: 'the status after each of three cancels',
        of: cancelled.cancel,
      }).toBe('cancelled: the same prompt goes on for longer where nobody cancels it', () => false);
    }
    const last = endOf(cancelled);
    assumeServed(
      [cancelled.later].filter((lookup) => !terminal.includes(contentOf(lookup).ending)),
    );
    for (const lookup of [last, cancelled.later]) {
      expectValue(contentOf(lookup).ending, { as: 'status', of: lookup }).toEqual('cancelled');
    }
  },
);

check('background/cancel.stops-run-in-region', ends, (points) =>
  judgePoints(points, isCancel, ({ attempt, owner }) => {
    assumeServed(attempt);
    const { after } = present(owner, 'lookup');
    assumeServed(after);
    expectValue(contentOf(after).ending, { as: 'status after the cancel', of: after }).toBe(
      'that of a run that has ended',
      (status) => !running.includes(status),
    );
  }),
);

function isCancel({ operation }: Cell): boolean {
  return operation === 'cancel';
}

check('background/cancel.repeat-served', cancelledTwice, ({ second, ...cancelled }) => {
  const last = endOf(cancelled);
  if (contentOf(last).ending !== 'cancelled')
    throw new Inconclusive('the run was not cancelled', last);
  expect(second).toBeServed();
  expectValue(contentOf(second).ending, { as: 'status', of: second }).toEqual('cancelled');
});

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
  // A status may be shown before the text that belongs to it. A difference between earlier lookups is not due to
  // the cancel.
  const changed = before.find(
    (lookup) =>
      contentOf(lookup).ending !== contentOf(last).ending ||
      contentOf(lookup).text !== contentOf(last).text,
  );
  if (changed !== undefined) {
    throw new Inconclusive('the response did not keep its status and its text', changed);
  }
  const status = rest.cancel.response?.status ?? 0;
  // Sources disagree: the native API answers with the response, or refuses.
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
 * Returns the lookup that shows the end of a run that was cancelled while it ran.
 *
 * @throws {NothingToJudge | Inconclusive} if it had ended by itself, or the cancel was refused
 */
function endOf({ before, cancel, lookups }: Cancelled): Exchange {
  notApplicableOnceEnded(before);
  assumeServed(cancel);
  if (endedByItself.includes(contentOf(cancel).ending))
    throw endedMeanwhile(present(before, 'lookup'), cancel);
  const last = lastOf(lookups);
  if (!terminal.includes(contentOf(last).ending)) assumeServed(last);
  return last;
}

check(
  'background/cancel.cancelled-at-the-end',
  { lastLook, cancelled, control: baseline.lookup },
  ({ lastLook }) =>
    judgeLooks(lastLook, 'cancelled', ({ now }) => {
      assumeServed(now);
      expectValue(contentOf(now).ending, { as: 'status', of: now }).toEqual('cancelled');
    }),
);
