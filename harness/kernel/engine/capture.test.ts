import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { formatId } from '../core/exchange-id.ts';
import { idFrom } from '../core/testing.ts';
import { Inconclusive, NothingToJudge } from '../judge/failure.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { outcomeOf } from './capture.ts';
import { type Io, idOf } from './io.ts';
import { exchangesOf } from './outcome.ts';
import { type Scenario, scenario } from './scenario.ts';
import { liveRun, reference, targetAt } from './testing.ts';

const one = { requests: 1, generations: 2 };
const speaks = { model: { speaks: 'responses' } } as const;

test('a scenario runs once, however many ask for its outcome, and for two that come after it', async () => {
  const { target, requestCount } = await reference();
  const { run } = liveRun(target);
  const created = scenario('t/created', { needs: speaks, cost: one }, async ({ responses }) => ({
    created: await responses.create({ store: true }),
  }));
  const after = { first: created };
  const left = scenario('t/left', { after, cost: one }, async ({ responses }, { first }) =>
    responses.lookup(idOf(first.created)),
  );
  const right = scenario('t/right', { after, cost: one }, async ({ responses }, { first }) =>
    responses.inputItems(idOf(first.created)),
  );
  const outcomes = await Promise.all(
    [left, created, right, left, created].map((each: Scenario) => outcomeOf(run, each)),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('captured'));
  expect(outcomes[0]).toBe(outcomes[3]);
  expect(requestCount()).toBe(3);
});

test('scenarios go side by side, as many as there are slots', async () => {
  const open: ServerResponse[] = [];
  let [slots, most] = [0, 0];
  const server = await serveHttp(async (_, answer) => {
    most = Math.max(most, open.push(answer));
    if (open.length !== slots) return;
    // Leaves time for a request beyond the slots to arrive.
    await delay(20);
    for (const one of open.splice(0)) one.end('{}');
  });
  for (const concurrency of [1, 4, 64]) {
    [slots, most] = [Math.min(concurrency, 12), 0];
    const { run } = liveRun(targetAt(server.url, { concurrency }));
    const all = Array.from({ length: 12 }, (_, index) =>
      scenario(`t/${index}`, { cost: one }, async ({ lists }) => lists.list()),
    );
    await Promise.all(all.map((each) => outcomeOf(run, each)));
    expect(most).toBe(slots);
  }
});

test('with one slot, a stream that a scenario goes on beside does not wait for itself', async () => {
  const { target } = await reference({ tokenMs: 1 });
  const { run } = liveRun({ ...target, limits: { ...target.limits, concurrency: 1 } });
  const beside = scenario('t/beside', { needs: speaks, cost: one }, async (io) => {
    let lookup: Promise<unknown> | undefined;
    const stream = await io.responses.stream(
      { store: true },
      {
        onFirstEvent() {
          lookup = io.lane('other').lists.list();
        },
      },
    );
    await lookup;
    return stream;
  });
  const outcome = await outcomeOf(run, beside);
  expect(outcome.kind).toBe('captured');
  expect(exchangesOf(outcome).map(({ response }) => response?.status)).toEqual([200, 200]);
});

test('what goes on with something begun is sent before what begins', async () => {
  const paths: string[] = [];
  const server = await serveHttp(async (request, answer) => {
    paths.push(request.url ?? '');
    await delay(5);
    answer.end('{}');
  });
  const { run } = liveRun(targetAt(server.url, { concurrency: 1 }));
  const flow = (name: string, steps: number) =>
    scenario(name, { cost: { requests: steps, generations: 0 } }, async ({ raw }) => {
      for (let step = 0; step < steps; step++) {
        await raw.send({ method: 'GET', path: `/${name}/${step}`, expects: 'json' });
      }
    });
  const all = [flow('short', 1), flow('long', 3), flow('middle', 2)];
  run.prioritise(all);
  await Promise.all(all.map((each) => outcomeOf(run, each)));
  // The first has its slot before the others have asked.
  expect(paths).toEqual(['/short/0', '/long/0', '/long/1', '/long/2', '/middle/0', '/middle/1']);
});

test('a prerequisite that decides nothing makes what comes after inconclusive, with its exchange', async () => {
  const server = await serveHttp((_, answer) => answer.writeHead(429).end('{}'));
  const { run, traffic } = liveRun(targetAt(server.url));
  const before = scenario('t/before', { needs: speaks, cost: one }, async ({ responses }) =>
    idOf(await responses.create({ store: true })),
  );
  const between = scenario('t/between', { after: { before }, cost: one }, async ({ lists }) =>
    lists.list(),
  );
  const last = scenario('t/last', { after: { between }, cost: one }, async ({ lists }) =>
    lists.list(),
  );
  const outcome = await outcomeOf(run, last);
  expect(outcome).toMatchObject({
    kind: 'inconclusive',
    exchange: { id: idFrom('t/before#main/0'), response: { status: 429 } },
    exchanges: [],
  });
  // The first cause once, whatever stands between.
  expect(outcome.kind === 'inconclusive' && outcome.reason).toMatch(
    /^waits for POST \/v1\/responses was answered 429/,
  );
  expect(traffic.requests).toBe(1);
});

test('what a scenario throws is an internal error, unless it says that nothing is decided', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const { run } = liveRun(targetAt(server.url));
  const mistake = new TypeError('a mistake');
  const broken = scenario('t/broken', { cost: one }, async ({ lists }) => {
    await lists.list();
    throw mistake;
  });
  const undecided = scenario('t/undecided', { cost: one }, async ({ lists }) => {
    throw new Inconclusive('no matter', await lists.list());
  });
  const afterwards = scenario('t/after', { after: { broken }, cost: one }, async () => 'never');
  expect(await outcomeOf(run, broken)).toMatchObject({
    kind: 'error',
    error: mistake,
    exchanges: [{ id: idFrom('t/broken#main/0') }],
  });
  expect(await outcomeOf(run, afterwards)).toMatchObject({ kind: 'error', error: mistake });
  expect(await outcomeOf(run, undecided)).toMatchObject({
    kind: 'inconclusive',
    reason: 'no matter',
    exchange: { id: idFrom('t/undecided#main/0') },
  });
});

test('the outcome waits for every exchange, also for those of the loser of a race', async () => {
  const server = await serveHttp(async (request, answer) => {
    if (request.url?.includes('slow') === true) await delay(60);
    answer.end('{}');
  });
  const { run } = liveRun(targetAt(server.url));
  const race = scenario(
    't/race',
    { cost: { requests: 3, generations: 3 } },
    async ({ raw, lane }) => {
      const get = (path: string, io = raw) => io.send({ method: 'GET', path, expects: 'json' });
      const slowly = async () => {
        await get('/slow/1', lane('slow').raw);
        return get('/slow/2', lane('slow').raw);
      };
      return Promise.race([slowly(), get('/quick')]);
    },
  );
  const outcome = await outcomeOf(run, race);
  expect(outcome).toMatchObject({ kind: 'captured', captured: { id: idFrom('t/race#main/0') } });
  expect(exchangesOf(outcome).map(({ id }) => formatId(id))).toEqual([
    't/race#slow/0',
    't/race#main/0',
    't/race#slow/1',
  ]);
});

test('ids are those of lane and order of the calls, whichever answer came first', async () => {
  let turn = 0;
  const server = await serveHttp(async (_, answer) => {
    await delay([30, 1, 15, 3, 8, 22][turn++ % 6]);
    answer.end('{}');
  });
  const chains = scenario('t/chains', { cost: { requests: 6, generations: 6 } }, async (io) => {
    const chain = async (name: string) => {
      const { raw } = io.lane(name);
      const first = await raw.send({ method: 'GET', path: `/${name}/1`, expects: 'json' });
      return [first, await raw.send({ method: 'GET', path: `/${name}/2`, expects: 'json' })];
    };
    return Promise.all(['a', 'b', 'c'].map(chain));
  });
  for (let round = 0; round < 3; round++) {
    turn = round;
    const { run } = liveRun(targetAt(server.url));
    const requests = exchangesOf(await outcomeOf(run, chains)).map(
      ({ id, request }) => `${formatId(id)} ${new URL(request.url).pathname}`,
    );
    expect(requests.sort()).toEqual([
      't/chains#a/0 /a/1',
      't/chains#a/1 /a/2',
      't/chains#b/0 /b/1',
      't/chains#b/1 /b/2',
      't/chains#c/0 /c/1',
      't/chains#c/1 /c/2',
    ]);
  }
});

test('what a target does not offer, or cannot be tested with, is not sent', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const { run } = liveRun(targetAt(server.url));
  const systemone = scenario(
    't/systemone',
    { needs: { model: { speaks: 'systemone' } }, cost: one },
    async () => 'never',
  );
  const restricted = scenario(
    't/restricted',
    { needs: { keys: ['restricted'] }, cost: one },
    async () => 'never',
  );
  const both = scenario(
    't/both',
    { after: { restricted, systemone }, cost: one },
    async () => 'never',
  );
  expect((await outcomeOf(run, systemone)).kind).toBe('not-applicable');
  expect(await outcomeOf(run, restricted)).toMatchObject({
    kind: 'untestable',
    reason: expect.stringContaining('keys.restricted'),
  });
  expect((await outcomeOf(run, both)).kind).toBe('not-applicable');
  expect(server.requests()).toBe(0);
});

test('once the run is stopped nothing further is sent, and every outcome still comes', async () => {
  const stop = new AbortController();
  const server = await serveHttp(async (_, answer) => {
    await delay(30);
    answer.end('{}');
  });
  const { run } = liveRun(targetAt(server.url, { concurrency: 2, requestsPerSecond: 1000 }), {
    stop: stop.signal,
  });
  const all = Array.from({ length: 20 }, (_, index) =>
    scenario(`t/${index}`, { cost: one }, async ({ lists, poll }) =>
      poll(
        () => lists.list(),
        () => false,
      ),
    ),
  );
  const outcomes = all.map((each) => outcomeOf(run, each));
  await expect.poll(() => server.requests()).toBeGreaterThan(4);
  stop.abort();
  const started = server.requests();
  const ends = (await Promise.all(outcomes)).map((outcome) =>
    exchangesOf(outcome).map(({ failure }) => failure?.kind ?? 'answered'),
  );
  // Up to two that were under way and not yet counted.
  expect(server.requests()).toBeLessThanOrEqual(started + 2);
  expect(ends.flat().filter((end) => end === 'answered')).toHaveLength(server.requests());
  expect(ends.map((each) => each.at(-1))).toEqual(Array(20).fill('interrupted'));
});

test('what is asked for while a background run goes on is sent before all else', async () => {
  const paths: string[] = [];
  const server = await serveHttp(async (request, answer) => {
    paths.push(request.url ?? '');
    await delay(5);
    const begins = request.url === '/v1/responses';
    answer.setHeader('content-type', 'application/json');
    answer.end(begins ? '{"id":"resp_1","status":"in_progress"}' : '{}');
  });
  const get = ({ raw }: Io, path: string) => raw.send({ method: 'GET', path, expects: 'json' });
  const runs = scenario('runs', { needs: speaks, cost: one }, ({ responses }) =>
    responses.create({ background: true }),
  );
  const acts = scenario('acts', { after: { runs }, cost: one }, async (io) => {
    for (const step of [0, 1, 2]) await get(io, `/acts/${step}`);
  });
  const many = scenario('many', { cost: one }, async (io) => {
    await get(io, '/many');
    await Promise.all([1, 2, 3, 4, 5].map((n) => get(io.lane(`${n}`), `/many/${n}`)));
  });
  const { run } = liveRun(targetAt(server.url, { concurrency: 1 }));
  await Promise.all([runs, acts, many].map((each: Scenario) => outcomeOf(run, each)));
  expect(paths).toHaveLength(10);
  expect(paths.indexOf('/acts/2')).toBeLessThan(paths.indexOf('/many/4'));
});

test('a scenario asks for no more generations than it declares, refused ones and frames included', async () => {
  const { target, requestCount } = await reference();
  const { run } = liveRun(target);
  const cost = { requests: 4, generations: 1, refused: 1 };
  const greedy = scenario('t/greedy', { needs: speaks, cost }, async ({ responses, lists }) => {
    await responses.create();
    await lists.list();
    await responses.create({ background: true, store: false });
    await responses.create();
  });
  const talkative = scenario('t/talkative', { needs: speaks, cost }, async ({ responses }) => {
    const session = await responses.connect();
    for (const frame of [{}, {}, {}]) session.send(frame);
  });
  for (const each of [greedy, talkative]) {
    expect(await outcomeOf(run, each)).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('declares 2 generations at most') },
    });
  }
  expect(requestCount()).toBe(4);
});

test('what is only asked for where the rest shows nothing is part of what a scenario declares', async () => {
  const { target, requestCount } = await reference();
  const { run } = liveRun(target);
  const cost = { requests: 3, generations: 1, fallback: 1 };
  const asking = (name: string, times: number) =>
    scenario(name, { needs: speaks, cost }, async ({ responses }) => {
      for (let n = 0; n < times; n++) await responses.create();
    });
  expect(await outcomeOf(run, asking('t/twice', 2))).toMatchObject({ kind: 'captured' });
  expect(await outcomeOf(run, asking('t/thrice', 3))).toMatchObject({ kind: 'error' });
  expect(requestCount()).toBe(4);
});

test('a scenario that finds nothing to judge is not applicable, and what it sent is kept', async () => {
  const { target } = await reference();
  const { run } = liveRun(target);
  const first = scenario('t/first', { cost: one }, async ({ lists }) => {
    await lists.list();
    throw new NothingToJudge('it has no such thing');
  });
  const second = scenario('t/second', { after: { first }, cost: one }, async () => null);
  const reason = 'it has no such thing';
  const outcome = await outcomeOf(run, first);
  expect(outcome).toMatchObject({ kind: 'not-applicable', reason });
  expect(exchangesOf(outcome)).toHaveLength(1);
  expect(await outcomeOf(run, second)).toMatchObject({ kind: 'not-applicable', reason });
});
