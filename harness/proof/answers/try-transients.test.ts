import { expect, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { outcomeOf } from '../../kernel/engine/capture.ts';
import { everywhereCheck } from '../../kernel/engine/everywhere.ts';
import { idOf } from '../../kernel/engine/io.ts';
import { scenario } from '../../kernel/engine/scenario.ts';
import { checkOn, liveRun, reference } from '../../kernel/engine/testing.ts';
import { expect as expectExchange } from '../../kernel/judge/expect.ts';
import { ExpectationFailed } from '../../kernel/judge/failure.ts';
import { contentOf } from '../../kernel/protocols/content.ts';
import { serverSentEvents } from '../../kernel/wire/sse.ts';
import { transientFailures, transients } from './transient.ts';
import { tryTransients } from './try-transients.ts';

const needs = { model: { speaks: 'responses' } } as const;

const cost = { requests: 1, generations: 1 };

const created = scenario('t/created', { needs, cost }, ({ responses }) =>
  responses.create({ store: true }),
);

const found = scenario(
  't/found',
  { after: { created }, cost: { requests: 1, generations: 0 } },
  (io, before) => io.responses.lookup(idOf(before.created)),
);

const careful = checkOn('t/careful', found, (lookup) => expectExchange(lookup).toBeServed());

/** Takes an answer that is missing for a response that does not exist. */
const careless = checkOn('t/careless', found, (lookup) => {
  if (lookup.response?.status !== 200) throw new ExpectationFailed('200', 'no 200', lookup);
});

test('who blames somebody for what befell an answer is named, with the answer and the transient', async () => {
  const { target } = await reference();
  const { run, traffic } = liveRun(target);
  const { exchanges, verdicts, blamed } = await tryTransients(run, [careful, careless]);
  // Each is asked once, however often it is judged.
  expect(traffic.requests).toBe(2);
  expect(exchanges).toBe(2);
  // None is a stream.
  const transients = transientFailures.length - 1;
  expect(verdicts).toBe(2 * transients + 2 * transients);
  expect(
    blamed.map(({ key, transient, check, from, to }) => [key, transient, check, from, to.state]),
  ).toEqual([
    ['t/found#main/0', 'busy', 't/careless', 'pass', 'fail'],
    ['t/found#main/0', 'walled', 't/careless', 'pass', 'fail'],
    ['t/found#main/0', 'late', 't/careless', 'pass', 'fail'],
  ]);
});

const basis = { citations: [], judgement: 'Here.' };
const row = { id: 't/everywhere.given', level: 'MUST', basis } as const;
const requirement = { text: 'An id is given out.', axis: null, judges: 'gateway' } as const;

test('what is looked at last is judged among all that was sent before it', async () => {
  const other = scenario('t/other', { needs, cost }, ({ responses }) =>
    responses.create({ store: true }),
  );
  const last = scenario(
    't/last',
    { needs, last: true, cost: { requests: 2, generations: 0 } },
    async (io) => {
      const ids = (await io.sent()).flatMap((one) => contentOf(one).id ?? []);
      return Promise.all(ids.map((id) => io.lane(id).responses.lookup(id)));
    },
  );
  const given = everywhereCheck(
    { ...row, value: null, requirement: { ...row, ...requirement, unchecked: null } },
    {
      least: { created, last },
      which: ({ id }) => id.scenario === 't/last',
      judge(lookup, { exchanges }) {
        const givers = exchanges.filter(({ id }) => id.scenario !== 't/last');
        if (givers.some((one) => contentOf(one).id === contentOf(lookup).id)) return;
        throw new ExpectationFailed('an id that was given out', 'one that was not', lookup);
      },
    },
  );
  const { target } = await reference();
  const { run } = liveRun(target);
  const others = checkOn('t/others', other, () => {});
  expect(await tryTransients(run, [given, others])).toMatchObject({ exchanges: 4, blamed: [] });
});

test('nothing is said about a run that was interrupted', async () => {
  const { target } = await reference();
  const { run } = liveRun(target, { stop: AbortSignal.abort() });
  expect(await tryTransients(run, [careful, careless])).toMatchObject({ verdicts: 0, blamed: [] });
});

test('a transient takes what comes after it, and no more', async () => {
  const { target } = await reference();
  const { run } = liveRun(target);
  const outcome = await outcomeOf(run, created);
  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  const whole: Exchange = outcome.captured;
  const { body = new Uint8Array() } = whole.response ?? {};
  for (const transient of transientFailures) {
    const failing = transients[transient](whole);
    // The answer is neither a stream nor a turn, so it cannot end with an overload.
    expect(failing === null).toBe(transient === 'overloaded');
    if (failing === null) continue;
    const { request, id, failure, response } = failing;
    expect({ request, id }).toEqual({ request: whole.request, id: whole.id });
    expect(failure === null).toBe(transient === 'busy' || transient === 'walled');
    if (transient === 'slow' || transient === 'gone') {
      expect(response).toMatchObject({ status: 200, complete: false });
      const end = Math.floor(body.length * (transient === 'slow' ? 1 / 2 : 3 / 4));
      expect(response?.body).toEqual(body.subarray(0, end));
      expect(response?.chunks.at(-1)?.end).toBe(end);
    }
  }
});

test('a stream that ends for want of a machine is a stream, with whole events and the error last', async () => {
  const { target } = await reference();
  const { run } = liveRun(target);
  const streamed = scenario(
    't/streamed',
    { needs: { model: { speaks: 'responses', supports: ['stream:responses'] } }, cost },
    ({ responses }) => responses.stream(),
  );
  const outcome = await outcomeOf(run, streamed);
  if (outcome.kind !== 'captured') throw new Error(outcome.kind);
  const failing = transients.overloaded(outcome.captured);
  if (failing === null) throw new Error('It is a stream');
  const before = serverSentEvents(outcome.captured).events;
  const { events } = serverSentEvents(failing);
  expect(events.length).toBeLessThanOrEqual(before.length);
  expect(events.slice(0, -1)).toMatchObject(
    before.slice(0, events.length - 1).map(({ event, data }) => ({ event, data })),
  );
  expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({
    type: 'error',
    code: 'server_overloaded',
    sequence_number: events.length - 1,
  });
});
