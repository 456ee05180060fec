import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../../reference/index.ts';
import type { Exchange } from '../../core/exchange.ts';
import { describeReference } from '../../targets/reference.ts';
import { serverSentEvents } from '../../wire/sse.ts';
import { freePort } from '../../wire/testing-server.ts';
import { outcomeOf } from '../capture.ts';
import { type Io, idOf } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { record, replay, slowTarget, targetAt } from '../testing.ts';
import { Traffic } from '../traffic.ts';

const cost = { requests: 1, generations: 9 };
const numberIn = ({ response }: Exchange): string => Buffer.from(response?.body ?? []).toString();

async function threeChains(step: (name: string) => Promise<string>): Promise<string[]> {
  const order: string[] = [];
  const chain = async (name: string): Promise<void> => {
    for (let count = 0; count < 4; count++) order.push(name + (await step(name)));
  };
  await Promise.all(['a', 'b', 'c'].map(chain));
  return order;
}

/** Scenarios whose requests race. Each captures the order in which its answers arrived. */
const races: readonly Scenario[] = [
  scenario('t/lanes', { cost }, (io) =>
    threeChains(async (lane) => numberIn(await io.lane(lane).lists.list())),
  ),
  scenario('t/one-lane', { cost }, ({ lists, random }) =>
    // Chance is drawn in the order of the answers, too.
    threeChains(async () => numberIn(await lists.list()) + random(({ string }) => string.alpha(3))),
  ),
  scenario('t/race', { cost }, async ({ lists }) => {
    const first = await Promise.race([lists.list(), lists.list(), lists.list()]);
    return [numberIn(first), numberIn(await lists.list())];
  }),
  scenario('t/polls', { cost }, async (io) => {
    const order: string[] = [];
    const poll = (lane: string): Promise<Exchange[]> =>
      io.lane(lane).poll(
        () => io.lane(lane).lists.list(),
        (answer) => order.push(lane + numberIn(answer)) > 6,
      );
    const both = await Promise.all([poll('a'), poll('b')]);
    return [order, both.map(({ length }) => length)];
  }),
  scenario('t/pauses', { cost }, (io) => {
    const late = (lane: Io, ms: number): Promise<Exchange> =>
      lane.pause(ms).then(() => lane.lists.list());
    // Timers cut the fraction off, and a replay does not: its pauses end in the other order.
    return Promise.all([late(io.lane('a'), 30.9), late(io.lane('b'), 30.1)]);
  }),
];

test.each([
  ['answers at once', [0]],
  ['answers late', [9, 1, 14, 3, 0, 22, 5]],
  ['answers later and later', Array.from({ length: 60 }, (_, index) => (index * 7) % 31)],
])(
  'what raced is delivered in the order in which it came, at a gateway that %s',
  async (_, delays) => {
    const { target, requests } = await slowTarget(delays);
    const { path, outcomes } = await record(target, races);
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(races.length).fill('captured'));
    const sent = requests();
    const again = replay(path);
    // Begun in another order: what is captured depends on the recording alone.
    await Promise.all([...races].reverse().map((one) => outcomeOf(again, one)));
    expect(await Promise.all(races.map((one) => outcomeOf(again, one)))).toEqual(outcomes);
    expect(again.unasked).toEqual([]);
    expect(requests()).toBe(sent);
  },
);

/** Streams, what is done while they go on, sockets that stay open, and sockets that are refused. */
const conversations: readonly Scenario[] = [
  scenario('t/first-event', { needs: { model: { speaks: 'responses' } }, cost }, async (io) => {
    const order: string[] = [];
    let lookup: Promise<Exchange> | undefined;
    const stream = await io.responses.stream(
      { store: true, max_output_tokens: 64 },
      {
        onFirstEvent(data) {
          order.push(data.slice(0, 40));
          lookup = io.lane('beside').responses.lookup(String(JSON.parse(data).response.id));
        },
      },
    );
    return [order, stream, await lookup];
  }),
  scenario('t/cut', { needs: { model: { speaks: 'responses' } }, cost }, async (io) => {
    const cut = await io.responses.stream({ store: true }, { cut: { events: 3 } });
    return [cut, serverSentEvents(cut).events.length, await io.responses.lookup(idOf(cut))];
  }),
  scenario(
    't/turns',
    { needs: { model: { speaks: 'responses', supports: ['websocket'] } }, hostile: 'input', cost },
    async ({ responses, lane }) => {
      const session = await responses.connect();
      const first = await responses.turn(session, {});
      const beside = await lane('beside').responses.create({ input: 'meanwhile' });
      session.send(new Uint8Array([1, 2]));
      const second = await responses.turn(session, { previous_response_id: first.responseId });
      return [first, beside, second, await session.exchange()];
    },
  ),
  scenario('t/refused', { hostile: 'input', cost }, async ({ responses }) => {
    const session = await responses.connect({ key: 'none' });
    session.send('into the void');
    return [session.opened, await session.exchange()];
  }),
];

/** Bytes are the same, whatever kind of array they stand in. */
function legible(outcomes: readonly Outcome[]): string {
  return JSON.stringify(
    outcomes,
    function (this: Record<string, unknown>, member: string, value: unknown) {
      const own = this[member];
      return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
    },
    1,
  );
}

test('streams and sockets are played as they went', async () => {
  const gateway = await startReference({ latencyMs: 3 });
  onTestFinished(() => gateway.close());
  const { path, outcomes } = await record(describeReference(gateway, undefined), conversations);
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(conversations.length).fill('captured'));
  const sent = gateway.requestCount();
  const again = replay(path);
  const replayed = await Promise.all(conversations.map((one) => outcomeOf(again, one)));
  expect(legible(replayed)).toBe(legible(outcomes));
  expect(again.unasked).toEqual([]);
  expect(gateway.requestCount()).toBe(sent);
});

test('what was not sent, because a gateway was given up, is not counted', async () => {
  const target = targetAt(`http://127.0.0.1:${await freePort()}`, { concurrency: 1 });
  const all = Array.from({ length: 40 }, (_, index) =>
    scenario(`t/${index}`, { cost }, async ({ lists, responses }) => [
      await lists.list(),
      await (await responses.connect()).exchange(),
    ]),
  );
  const { path, outcomes, traffic } = await record(target, all);
  const counted = new Traffic();
  const again = replay(path, counted);
  expect(await Promise.all(all.map((one) => outcomeOf(again, one)))).toEqual(outcomes);
  expect(counted.requests).toBe(traffic.requests);
  expect(counted.requests).toBeLessThan(80);
  expect(again.unasked).toEqual([]);
});
