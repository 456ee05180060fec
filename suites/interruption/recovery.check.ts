import {
  answerId,
  assumeServed,
  check,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  idOf,
  jsonBody,
  responsesFindings,
  scenario,
} from '../../harness/index.ts';
import { noTextHint } from '../scenarios/assumptions.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { lastOf } from '../scenarios/running/background-runs.ts';
import { lastNumber, numbersIn, resumed } from '../scenarios/running/interrupted-streams.ts';
import { endOf } from '../scenarios/running/stopped-streams.ts';
import { recoverable, served } from '../scenarios/stored/served-operations.ts';
import { wholeText } from '../scenarios/stored/stored-streams.ts';

check('interruption/recovery.only-later-events', resumed, ({ seen, rest, last }) => {
  assumeBroken(seen);
  assumeServed(rest);
  expect(rest).toFollow('event-grammar', { resumedAfter: last });
  expectContinues(seen, rest);
  const before = numbersIn(seen);
  // Where numbers may have gaps, the next one is not known.
  if (before.some((number, n) => number - n !== before[0])) return;
  const [first] = numbersIn(rest);
  expectValue(first, { as: `the first sequence_number after ${last}`, of: rest }).toEqual(last + 1);
});

/** The rest belongs to the response that was interrupted, and to its items: their ids are the same. */
function expectContinues(seen: Exchange, rest: Exchange): void {
  const [response, recovered] = [seen, rest].map(answerId);
  // A rest without text may end without an event that names the response.
  if (response != null && recovered != null) {
    expectValue(recovered, { as: 'the id of the response', of: rest }).toEqual(response);
  }
  const before = responsesFindings(seen)?.itemIds ?? new Map<number, string>();
  for (const [index, id] of responsesFindings(rest)?.itemIds ?? []) {
    const was = before.get(index);
    if (was === undefined) continue;
    expectValue(id, { as: `the id of the item ${index}`, of: rest }).toEqual(was);
  }
}

check('interruption/recovery.completes-text', resumed, ({ seen, rest, lookups }) => {
  assumeBroken(seen);
  assumeServed([seen, rest]);
  const end = lastOf(lookups);
  assumeServed(end);
  if (ending(end) === 'cancelled') throw new Inconclusive('the run was cancelled', end);
  expectValue(generatedText(seen) + generatedText(rest), {
    as: 'the text before the break and after it',
    of: rest,
  }).toEqual(generatedText(end));
});

/** @throws {Inconclusive} for a stream that ended by itself: there is no rest of it to be asked for */
function assumeBroken(seen: Exchange): void {
  if (endOf(seen) === null) return;
  throw new Inconclusive(
    `the stream ended before any text came, so that it was not interrupted: ${noTextHint}`,
    seen,
  );
}

/** Recoveries of a stream that was read to its end. */
const again = scenario(
  'interruption/recovered-again',
  {
    after: { stream: recoverable, control: served.recover },
    cost: { requests: 3, generations: 0, chain: 1 },
  },
  async (io, { stream: { id, created }, control }) => {
    const last = lastNumber(created);
    const [pastTheEnd, fromTheStart, badValue] = await Promise.all([
      io.lane('end').responses.recover(id, { startingAfter: last }),
      io.lane('start').responses.recover(id),
      io.lane('bad').responses.recover(id, { startingAfter: 'x' }),
    ]);
    return { created, control: control.served, pastTheEnd, fromTheStart, badValue };
  },
);

check('interruption/recovery.past-the-end', again, ({ control, pastTheEnd }) => {
  assumeServed(control);
  expect(pastTheEnd).toHaveStatus(200, 204);
  const nothing = jsonBody(pastTheEnd) === undefined;
  const later = responsesFindings(pastTheEnd)?.types.filter((type) => type.startsWith('response.'));
  const events = nothing ? (later?.length ?? 0) : 'none, but a JSON body';
  expectValue(events, { as: 'number of events after the last', of: pastTheEnd }).toEqual(0);
});

check('interruption/recovery.from-the-start', again, ({ created, control, fromTheStart }) => {
  assumeServed(control);
  const text = wholeText(created);
  expect(fromTheStart).toBeServed().toFollow('created-first');
  expectValue(generatedText(fromTheStart), {
    as: 'the text of the whole stream',
    of: fromTheStart,
  }).toEqual(text);
});

check('interruption/recovery.bad-value-refused', again, ({ control, badValue }) => {
  expect(badValue).toBeRefused({ control });
});

const inForeground = scenario(
  'interruption/foreground-recovered',
  { after: { stream: baselineStream.responses }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { stream: { streamed } }) => {
    const id = idOf(streamed);
    return { streamed, recovered: await responses.recover(id, { startingAfter: 0 }) };
  },
);

check('interruption/recovery.foreground', inForeground, ({ streamed, recovered }) => {
  const text = wholeText(streamed);
  expect(recovered).toBeServed();
  expectValue(generatedText(recovered), { as: 'the recovered text', of: recovered }).toEqual(text);
});
