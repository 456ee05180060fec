import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../clients/call.ts';
import { startReference } from '../reference/index.ts';
import { withDefaults } from '../target/defaults.ts';
import { describeReference } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import type { Exchange } from '../wire/exchange.ts';
import { serverSentEvents } from '../wire/sse.ts';
import { serveHttp } from '../wire/test-server.ts';
import { type Io, idOf } from './io.ts';
import { LiveRun } from './live-run.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { Recorder } from './recorder.ts';
import { beginRecording, readRecording } from './recording.ts';
import { ReplayRun } from './replay-run.ts';
import { type Scenario, scenario } from './scenario.ts';
import { Traffic } from './traffic.ts';

const cost = { requests: 1, generations: 0 };
const moved = (): void => undefined;

/** Runs scenarios, recorded to a file, and gives its path and what they captured. */
async function record(
  target: Target,
  scenarios: readonly Scenario[],
): Promise<{ readonly path: string; readonly outcomes: readonly Outcome[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-replay-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'run.jsonl');
  const [seed, runId] = [11, 'run-of-the-test'];
  beginRecording(path, {
    suiteVersion: '0.0.0',
    catalogue: 'none',
    startedAt: new Date(0).toISOString(),
    seed,
    runId,
    strict: false,
    filters: [],
    target,
  });
  const recorder = new Recorder(path);
  const stop = new AbortController().signal;
  const traffic = new Traffic();
  const run = new LiveRun({ target, seed, runId, stop, traffic, recorder, moved });
  const outcomes = await Promise.all(scenarios.map((one) => outcomeOf(run, one)));
  await recorder.flush();
  return { path, outcomes };
}

function replay(path: string): ReplayRun {
  const { header, exchanges } = readRecording(path);
  const { target, seed, runId } = header;
  return new ReplayRun({ target, seed, runId, exchanges, traffic: new Traffic(), moved });
}

/** A target that answers every request with its number, each after another delay. */
async function slowTarget(delays: readonly number[]) {
  let asked = 0;
  const server = await serveHttp(async (_, answer) => {
    const number = asked++;
    await delay(delays[number % delays.length]);
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ number }));
  });
  const target = withDefaults(
    {
      name: 'slow',
      regions: [{ name: 'here', baseUrl: server.url }],
      keys: { owner: 'canary-owner-key', otherUser: 'canary-other-key' },
      models: [{ id: 'm', protocols: ['responses'] }],
      limits: { concurrency: 8, requestsPerSecond: null, patienceMs: 300 },
    },
    'slow',
  );
  return { target, requests: () => server.requests() };
}

const numberIn = ({ response }: Exchange): string => Buffer.from(response?.body ?? []).toString();

/** What came first, second and so on, where a scenario lets its requests race. */
const races: readonly Scenario[] = [
  scenario('t/lanes', { cost }, async (io) => {
    const order: string[] = [];
    const chain = async (lane: string): Promise<void> => {
      for (let step = 0; step < 4; step++) {
        order.push(lane + numberIn(await io.lane(lane).lists.list()));
      }
    };
    await Promise.all([chain('a'), chain('b'), chain('c')]);
    return order;
  }),
  scenario('t/one-lane', { cost }, async ({ lists, random }) => {
    const order: string[] = [];
    const chain = async (name: string): Promise<void> => {
      for (let step = 0; step < 4; step++) {
        // Chance is drawn in the order of the answers, too.
        order.push(name + numberIn(await lists.list()) + random.string.alpha(3));
      }
    };
    await Promise.all([chain('a'), chain('b'), chain('c')]);
    return order;
  }),
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
    const cut = await io.responses.stream({ store: true }, { cutAfterEvents: 3 });
    return [cut, serverSentEvents(cut).events.length, await io.responses.lookup(idOf(cut))];
  }),
  scenario(
    't/turns',
    { needs: { model: { speaks: 'responses', supports: ['websocket'] } }, cost },
    async ({ responses, lane }) => {
      const session = await responses.connect();
      const first = await responses.turn(session, {});
      const beside = await lane('beside').responses.create({ input: 'meanwhile' });
      session.send(new Uint8Array([1, 2]));
      const second = await responses.turn(session, { previous_response_id: first.responseId });
      return [first, beside, second, await session.exchange()];
    },
  ),
  scenario('t/refused', { cost }, async ({ responses }) => {
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

describe('a recording that is not of this suite makes an error', () => {
  const call: Call = {
    operation: 'test',
    protocol: 'responses',
    method: 'POST',
    path: '/v1/responses',
    query: { page: '1' },
    headers: { 'X-Test': 'yes' },
    body: { input: 'Hello.' },
    expects: 'json',
  };
  const asking = (change: (io: Io) => Promise<unknown>): Scenario =>
    scenario('t/asking', { cost }, change);
  const recorded = asking(({ raw }) => raw.send(call));

  test.each<[string, (io: Io) => Promise<unknown>, RegExp]>([
    [
      'another method',
      ({ raw }) => raw.send({ ...call, method: 'PUT' }),
      /exchange t\/asking#main\/0: the suite sends the method PUT, recorded is POST\. It was/,
    ],
    [
      'another path',
      ({ raw }) => raw.send({ ...call, path: '/v1/other' }),
      /sends the address \/v1\/other\?page=1, recorded is \/v1\/responses\?page=1/,
    ],
    [
      'another query',
      ({ raw }) => raw.send({ ...call, query: { page: '2' } }),
      /sends the address \/v1\/responses\?page=2, recorded is \/v1\/responses\?page=1/,
    ],
    [
      'another body',
      ({ raw }) => raw.send({ ...call, body: { input: 'Bye.' } }),
      /sends the body \{"input":"Bye\."\}, recorded is \{"input":"Hello\."\}/,
    ],
    [
      'no body',
      ({ raw }) =>
        raw.send({
          ...call,
          body: undefined,
          headers: { 'X-Test': 'yes', 'Content-Type': 'application/json' },
        }),
      /does not send the body that is recorded: \{"input"/,
    ],
    [
      'another header',
      ({ raw }) => raw.send({ ...call, headers: { 'X-Test': 'no' } }),
      /sends the headers .*x-test: no, recorded is .*x-test: yes/,
    ],
    [
      "another user's key",
      ({ raw }) => raw.send(call, { key: 'otherUser' }),
      /sends with the key otherUser, recorded is owner/,
    ],
    [
      'another place of the key',
      ({ raw }) => raw.send(call, { placement: 'x-api-key' }),
      /sends the headers .*x-api-key: \*, .*recorded is .*authorization: Bearer \*/,
    ],
    [
      'a further request',
      async ({ raw }) => [await raw.send(call), await raw.send(call)],
      /exchange t\/asking#main\/1: the suite sends POST \/v1\/responses, which was not recorded/,
    ],
  ])('%s', async (_, change, message) => {
    const { target, requests } = await slowTarget([0]);
    const { path } = await record(target, [recorded]);
    const outcome = await outcomeOf(replay(path), asking(change));
    expect(outcome).toMatchObject({ kind: 'error' });
    expect(outcome.kind === 'error' && String(outcome.error)).toMatch(message);
    expect(requests()).toBe(1);
  });

  test('while the key itself may be any, wherever it stands', async () => {
    const { target } = await slowTarget([0]);
    const everywhere = asking(({ raw }) =>
      Promise.all([
        ...(['own', 'query-key', 'basic', 'bare'] as const).map((placement) =>
          raw.send(call, { placement }),
        ),
        raw.send(call, { key: 'unknown', placement: 'query-api_key' }),
      ]),
    );
    for (const owner of [
      'canary-key-1',
      'canary-key-22',
      'canary-key-333',
      'sk-a/?%+0123456789=',
    ]) {
      const { path, outcomes } = await record({ ...target, keys: { owner } }, [everywhere]);
      expect(readFileSync(path, 'utf8')).not.toContain(owner);
      expect(await outcomeOf(replay(path), everywhere)).toEqual(outcomes[0]);
    }
  });

  test('what comes after it is in error, too, and what is not asked for is named', async () => {
    const { target } = await slowTarget([0]);
    const { path } = await record(target, [recorded]);
    const again = replay(path);
    const before = scenario('t/other', { cost }, ({ lists }) => lists.list());
    const later = scenario('t/later', { after: { before }, cost }, ({ lists }) => lists.list());
    expect(await outcomeOf(again, later)).toMatchObject({ kind: 'error' });
    expect(again.unasked).toEqual(['t/asking#main/0']);
  });

  test.each<[string, (frame: object) => (object | string)[], RegExp]>([
    [
      'another frame',
      () => [{ type: 'other' }],
      /sends the frame \{"type":"other"\}, recorded is \{"type/,
    ],
    ['a frame more', (frame) => [frame, frame], /sends the frame .*, recorded is none/],
    ['a frame fewer', () => [], /the suite sends 0 frames, recorded are 1/],
  ])('%s', async (_, frames, message) => {
    const gateway = await startReference();
    onTestFinished(() => gateway.close());
    const needs = { model: { speaks: 'responses', supports: ['websocket'] } } as const;
    const talk = (sent: (frame: object) => (object | string)[]): Scenario =>
      scenario('t/talk', { needs, cost }, async ({ responses }) => {
        const session = await responses.connect();
        const frame = responses.frame({ input: 'Hello.' });
        for (const one of sent(frame)) session.send(one);
        await session.receive(({ text }) => text.includes('response.completed'));
        return session.exchange();
      });
    const { path } = await record(describeReference(gateway, undefined), [talk((one) => [one])]);
    const outcome = await outcomeOf(replay(path), talk(frames));
    expect(outcome.kind === 'error' && String(outcome.error)).toMatch(message);
  });
});

describe('a file that is no recording is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-recording-'));
  const file = join(folder, 'run.jsonl');

  test.each([
    ['which is not there', null, /no such file/],
    ['empty', '', /its first line does not say how it was made\. Record a run with/],
    ['of exchanges only', '{"labels":{},"exchange":{}}\n', /its first line does not say/],
    [
      'of another version',
      `{"format":"gateway-touchstone/recording","version":2,"seed":1,"runId":"a","startedAt":"b","strict":false,"filters":[],"target":{}}\n`,
      /it has the format version 2; this Touchstone reads version 1/,
    ],
  ])('%s', (_, text, message) => {
    if (text !== null) writeFileSync(file, text);
    expect(() => readRecording(file)).toThrow(message);
  });

  test('but a last line that was cut is left out, and said', async () => {
    const { target } = await slowTarget([0]);
    const { path } = await record(target, [
      scenario('t/two', { cost }, async ({ lists }) => [await lists.list(), await lists.list()]),
    ]);
    const text = readFileSync(path, 'utf8');
    expect(readRecording(path)).toMatchObject({ cut: false, exchanges: [{}, {}] });
    writeFileSync(path, text.slice(0, -20));
    const { cut, exchanges } = readRecording(path);
    expect([cut, exchanges.length]).toEqual([true, 1]);
    const [header = '', first = '', second = ''] = text.split('\n');
    writeFileSync(path, `${[header, first.slice(0, -20), second].join('\n')}\n`);
    expect(() => readRecording(path)).toThrow(/line 2: .* no JSON/);
    writeFileSync(path, `${[header, first, first].join('\n')}\n`);
    expect(() => readRecording(path)).toThrow(/line 3: There are two exchanges t\/two#main\/0/);
  });
});
