import {
  answerOf,
  assumeServed,
  check,
  contentOf,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  NothingToJudge,
  responsesFindings,
  scenario,
} from '../../harness/index.ts';
import { isStopped, isStream } from '../scenarios/exchanges.ts';
import {
  endOf,
  lastNumber,
  noTextHint,
  numbersIn,
  resumed,
  resumedInForeground,
} from '../scenarios/running/interrupted-streams.ts';
import { recoverable, served, wholeText } from '../scenarios/stored/served-operations.ts';
import { lastOf } from '../scenarios/stored/stored-responses.ts';

check('interruption/recovery.only-later-events', resumed, ({ seen, rest, last }) => {
  throwUnlessBroken(seen);
  // The end, at least, was still pending.
  expect(rest).toBeServed().toFollow('event-grammar', { resumedAfter: last });
  expectContinues(seen, rest);
});

everywhere(
  'interruption/recovery.event-grammar',
  { least: resumed, which: isRecovery, partial: true },
  (exchange, run) => {
    const after = new URL(exchange.request.url).searchParams.get('starting_after');
    expect(exchange).toFollow('event-grammar', {
      cancelled: isStopped(exchange, run),
      ...(after === null ? {} : { resumedAfter: Number(after) }),
    });
  },
);

/** True for the events of a response, fetched again in whole or in part. */
function isRecovery(exchange: Exchange): boolean {
  return isStream('responses')(exchange) && exchange.request.method === 'GET';
}

check('interruption/recovery.next-event', resumed, ({ seen, rest, last }) => {
  throwUnlessBroken(seen);
  assumeServed(rest);
  const before = numbersIn(seen);
  if (before.some((number, n) => number - n !== before[0])) {
    throw new NothingToJudge('the numbers have gaps, so that the next one is not known');
  }
  const [first] = numbersIn(rest);
  expectValue(first, { as: `the first sequence_number after ${last}`, of: rest }).toEqual(last + 1);
});

/**
 * Judges that the rest belongs to the interrupted response and its items: each item id keeps its position, and each
 * position keeps its item id.
 */
function expectContinues(seen: Exchange, rest: Exchange): void {
  const [response, recovered] = [seen, rest].map((one) => contentOf(one).id);
  // A rest without text may end without an event that names the response.
  if (response != null && recovered != null) {
    expectValue(recovered, { as: 'the id of the response', of: rest }).toEqual(response);
  }
  const before = responsesFindings(seen)?.itemIds ?? new Map<number, string>();
  const places = new Map([...before].map(([index, id]) => [id, index]));
  for (const [index, id] of responsesFindings(rest)?.itemIds ?? []) {
    const place = places.get(id);
    const was = before.get(index);
    if (place !== undefined) {
      expectValue(index, { as: `output_index of the item ${id}`, of: rest }).toEqual(place);
    } else if (was !== undefined) {
      expectValue(id, { as: `the id of the item ${index}`, of: rest }).toEqual(was);
    }
  }
}

check('interruption/recovery.completes-text', resumed, ({ seen, rest, lookups }) => {
  throwUnlessBroken(seen);
  assumeServed(seen);
  expect(rest).toBeServed();
  const end = lastOf(lookups);
  assumeServed(end);
  if (contentOf(end).ending === 'cancelled') throw new Inconclusive('the run was cancelled', end);
  expectWholeText(seen, rest, end);
});

/** @param end lookup that shows the whole text */
function expectWholeText(seen: Exchange, rest: Exchange, end: Exchange): void {
  expectValue(contentOf(seen).text + contentOf(rest).text, {
    as: 'the text before the break and after it',
    of: rest,
  }).toEqual(contentOf(end).text);
}

/** Leaves out a stream that ended by itself, because it has no rest. */
function throwUnlessBroken(seen: Exchange): void {
  if (endOf(seen) === null) return;
  if (contentOf(seen).text !== '') {
    throw new NothingToJudge('all of the text came with the last event: nothing was left of it');
  }
  const reason = `the stream ended before any text came, so that it was not interrupted: ${noTextHint}`;
  throw new Inconclusive(reason, seen);
}

/** Maximum number of events after which a stream is fetched again. */
const mostPoints = 4;

/** Recoveries of a stream that was read to its end: one after each of several events, in separate lanes. */
const again = scenario(
  'interruption/recovered-again',
  {
    after: { stream: recoverable, control: served.recover },
    cost: { requests: 3 + mostPoints, generations: 0, chain: 1 },
  },
  async (io, { stream: { id, created }, control }) => {
    const last = lastNumber(created);
    const [pastTheEnd, fromTheStart, badValue, tails] = await Promise.all([
      io.lane('end').responses.recover(id, { startingAfter: last }),
      io.lane('start').responses.recover(id),
      io.lane('bad').responses.recover(id, { startingAfter: 'x' }),
      Promise.all(
        pointsIn(created).map(async (point, n) => ({
          point,
          tail: await io.lane(`point-${n}`).responses.recover(id, { startingAfter: point }),
        })),
      ),
    ]);
    return { created, control: control.served, pastTheEnd, fromTheStart, badValue, tails };
  },
);

/** Returns points where a stream may break: the numbers of its first event, and of its first, middle and last text. */
function pointsIn(stream: Exchange): readonly number[] {
  const texts = responsesFindings(stream)?.numberedText.map(({ number }) => number) ?? [];
  const points = [numbersIn(stream)[0], texts[0], texts[texts.length >> 1], texts.at(-1)];
  return [...new Set(points.filter((point) => point !== undefined))];
}

check('interruption/recovery.from-any-point', again, ({ created, control, tails }) => {
  assumeServed(control);
  wholeText(created);
  const fragments = responsesFindings(created)?.numberedText ?? [];
  for (const { point, tail } of tails) {
    expect(tail).toBeServed();
    const later = fragments.filter(({ number }) => number > point);
    expectValue(contentOf(tail).text, { as: `the text after event ${point}`, of: tail }).toEqual(
      later.map(({ text }) => text).join(''),
    );
  }
});

check('interruption/recovery.past-the-end', again, ({ created, control, pastTheEnd }) => {
  assumeServed(control);
  // The last received event of a truncated stream is not the last event.
  wholeText(created);
  expect(pastTheEnd).toHaveStatus(200, 204);
  const nothing = answerOf(pastTheEnd).value === undefined;
  const later = responsesFindings(pastTheEnd)?.types.filter((type) => type.startsWith('response.'));
  const events = nothing ? (later?.length ?? 0) : 'none, but a JSON body';
  expectValue(events, { as: 'number of events after the last', of: pastTheEnd }).toEqual(0);
});

check('interruption/recovery.from-the-start', again, ({ created, control, fromTheStart }) => {
  assumeServed(control);
  const text = wholeText(created);
  expect(fromTheStart).toBeServed().toFollow('created-first');
  expectValue(contentOf(fromTheStart).text, {
    as: 'the text of the whole stream',
    of: fromTheStart,
  }).toEqual(text);
});

check('interruption/recovery.bad-value-refused', again, ({ control, badValue }) => {
  expect(badValue).toBeRefused({ control });
});

check('interruption/recovery.foreground', resumedInForeground, ({ seen, lookups, rest }) => {
  throwUnlessBroken(seen);
  const end = lastOf(lookups);
  assumeServed([seen, end]);
  if (contentOf(end).ending === 'cancelled')
    throw new NothingToJudge('the run ended with its client');
  expect(rest).toBeServed({ nothingLeft: true });
  expectWholeText(seen, rest, end);
});
