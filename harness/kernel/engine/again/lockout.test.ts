import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { transientIn } from '../../judge/judged.ts';
import { serveHttp } from '../../wire/testing-server.ts';
import { outcomeOf } from '../capture.ts';
import type { Io } from '../io.ts';
import { exchangesOf } from '../outcome.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { liveRun, record, recordRun, replay, targetAt } from '../testing.ts';

const cost = { requests: 20, generations: 0 };

function json(answer: ServerResponse, status: number, value: unknown, headers = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers });
  answer.end(JSON.stringify(value));
}

const noKey = { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error' } };
const tooOften = { error: { message: 'Too many failed attempts.', type: 'forbidden' } };

/** Answers lists, to the right key: but to nobody for a while after so many wrong ones. */
function lockingGateway(failures: number, lockedForMs: number) {
  let failed = 0;
  let lockedUntil = 0;
  return serveHttp((request: IncomingMessage, answer: ServerResponse) => {
    if (performance.now() < lockedUntil) return json(answer, 403, tooOften);
    if (request.headers.authorization === 'Bearer canary-owner') {
      return json(answer, request.url === '/v1/models' ? 200 : 403, { object: 'list', data: [] });
    }
    failed++;
    if (failed % failures === 0) lockedUntil = performance.now() + lockedForMs;
    return json(answer, 401, noKey);
  });
}

/** Returns the cause or the status of each exchange. */
function told(exchanges: readonly Exchange[]): string[] {
  return exchanges.map((one) => transientIn(one)?.cause ?? String(one.response?.status));
}

const listed = scenario('t/listed', { cost }, ({ lists }) => lists.list());

function inTurn(name: string, calls: readonly ((io: Io) => Promise<Exchange>)[]): Scenario {
  return scenario(name, { hostile: 'credentials', after: { listed }, cost }, async (io) => {
    for (const call of calls) await call(io);
  });
}

const wrong = ({ lists }: Io) => lists.list({ key: 'unknown' });
const good = ({ lists }: Io) => lists.list();
const denied = ({ raw }: Io) =>
  raw.send({ operation: 'responses.lookup', method: 'GET', path: '/v1/responses/other' });

test('who is locked out after wrong keys waits, and blames nobody for it', async () => {
  const server = await lockingGateway(2, 400);
  const flow = inTurn('t/flow', [wrong, wrong, wrong, denied, good, wrong, good]);
  const { path, outcomes } = await record(targetAt(server.url), [flow]);
  // The wrong key that came under the lockout is asked for once more when that is over.
  const expected = ['401', '401', 'locked-out', '401', '403', '200', '401', '200'];
  const exchanges = outcomes.flatMap(exchangesOf);
  expect(told(exchanges)).toEqual(expected);
  const message = exchanges[2]?.failure?.message ?? '';
  expect(message).toContain('after GET /v1/models (t/flow#main/2, key: unknown)');
  expect(message).toMatch(/served before, was answered 403.*Too many failed attempts/s);

  const sent = server.requests();
  const again = replay(path);
  expect(told(exchangesOf(await outcomeOf(again, flow)))).toEqual(expected);
  expect(again.unasked).toEqual([]);
  expect(server.requests()).toBe(sent);
});

/** Sends wrong keys at once, with ordinary requests between, in one scenario. */
function atOnce(count: number): Scenario {
  const name = `t/at-once-${count}`;
  return scenario(name, { hostile: 'credentials', after: { listed }, cost }, async (io) => {
    await Promise.all(Array.from({ length: count }, () => wrong(io)));
    await good(io);
  });
}

/** Counts the requests that are in flight at the same time. */
function counting(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const most: number[] = [];
  let inFlight = 0;
  return {
    most,
    listener: (request: IncomingMessage, response: ServerResponse) => {
      most.push(++inFlight);
      setTimeout(() => {
        answer(request, response);
        inFlight--;
      }, 20);
    },
  };
}

test('wrong keys go one by one until four are refused and one is served, then side by side', async () => {
  const { most, listener } = counting(({ headers }, answer) =>
    headers.authorization === 'Bearer canary-owner'
      ? json(answer, 200, { object: 'list', data: [] })
      : json(answer, 401, noKey),
  );
  const server = await serveHttp(listener);
  const { run } = liveRun(targetAt(server.url));
  await outcomeOf(run, atOnce(30));
  // The list, four wrong keys, and a list after the first and after the fourth of them.
  expect(most.slice(0, 7)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(Math.max(...most)).toBeGreaterThan(7);
  const { run: serial } = liveRun(targetAt(server.url, { concurrency: 1 }));
  most.length = 0;
  await outcomeOf(serial, atOnce(30));
  expect(Math.max(...most)).toBe(1);
});

test('those under way at a lockout are asked again one by one', async () => {
  let failed = 0;
  let looks = 0;
  const { most, listener } = counting(({ headers }, answer) => {
    const isGood = headers.authorization === 'Bearer canary-owner';
    if (isGood && failed >= 13) looks++;
    if (failed >= 13 && looks < 4) return json(answer, 403, tooOften);
    if (isGood) return json(answer, 200, { object: 'list', data: [] });
    failed++;
    json(answer, 401, noKey);
  });
  const { run } = liveRun(targetAt((await serveHttp(listener)).url));
  const exchanges = exchangesOf(await outcomeOf(run, atOnce(30)));
  const refused = exchanges.filter((one) => transientIn(one)?.cause === 'locked-out');
  expect(refused.length).toBeGreaterThan(0);
  const final = exchanges.filter((one) => !refused.includes(one));
  expect(new Set(told(final))).toEqual(new Set(['401', '200']));
  expect(final).toHaveLength(31);
  // After the lockout: as many as remain, each alone, beside what is asked because of the lockout.
  expect(most.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1));
});

test('of those under way at a reset, only the one is blamed that breaks its connection alone', async () => {
  const held = new Set<ServerResponse>();
  const poisoned = (request: IncomingMessage): boolean => request.url?.endsWith('poison') === true;
  const server = await serveHttp((request, answer) => {
    held.add(answer);
    const later = setTimeout(end, poisoned(request) ? 30 : 200);
    answer.on('close', () => clearTimeout(later));
    function end(): void {
      // The poisoned request takes all others with it that are in flight.
      for (const one of poisoned(request) ? held : []) one.socket?.destroy();
      held.delete(answer);
      if (request.headers.authorization === 'Bearer canary-owner')
        json(answer, 200, { object: 'list', data: [] });
      else json(answer, 401, noKey);
    }
  });
  const flow = scenario(
    't/poison',
    { hostile: 'credentials', after: { listed }, cost },
    async (io) => {
      const paths = Array.from({ length: 12 }, (_, n) => (n === 9 ? '/v1/poison' : '/v1/models'));
      await Promise.all(
        paths.map((path, n) =>
          io
            .lane(String(n))
            .raw.send({ operation: 'models.list', method: 'GET', path }, { key: 'unknown' }),
        ),
      );
    },
  );
  const { path, came } = await recordRun(targetAt(server.url), (run) => {
    run.prioritise([flow]);
    return outcomeOf(run, flow);
  });
  const last = new Map(exchangesOf(came).map((one) => [one.id.lane, one]));
  const lost = [...last].filter(([, { response }]) => response === null);
  expect(lost.map(([lane]) => lane)).toEqual(['9']);
  expect([...last.values()].some(({ id }) => id.attempt > 1 && id.lane !== '9')).toBe(true);
  const again = replay(path);
  const replayed = exchangesOf(await outcomeOf(again, flow));
  expect(told(replayed)).toEqual(told(exchangesOf(came)));
  expect(again.unasked).toEqual([]);
});

test('a good key that is refused for a reason of its own is refused', async () => {
  const server = await lockingGateway(100, 1);
  const { run, traffic } = liveRun(targetAt(server.url));
  const outcome = await outcomeOf(run, inTurn('t/denied', [denied, denied]));
  expect(told(exchangesOf(outcome))).toEqual(['403', '403']);
  // The list, two lookups, and after each the list.
  expect(traffic.requests).toBe(5);
});

test('a gateway that does not let in again is asked nothing further', async () => {
  const server = await lockingGateway(1, 60_000);
  const { run, traffic } = liveRun(targetAt(server.url, { patienceMs: 300 }));
  const outcome = await outcomeOf(run, inTurn('t/forever', [wrong, good, good, good]));
  const exchanges = exchangesOf(outcome);
  expect(told(exchanges)).toEqual(['401', 'locked-out', 'locked-out', 'locked-out']);
  expect(exchanges[3]?.failure?.message).toMatch(
    /^not sent: locked out after GET .*, and still so/,
  );
  expect(traffic.report().heldBack?.map(({ by }) => by)).toContain('lockout');
  expect(server.requests()).toBeLessThan(12);
});

test('a rate limit holds back what has not been sent, and nothing is sent again', async () => {
  let tokens = 3;
  let limited = 0;
  const server = await serveHttp((_, answer) => {
    if (tokens > 0) {
      tokens--;
      return json(answer, 200, { object: 'list', data: [] });
    }
    limited++;
    setTimeout(() => (tokens = 100), 200).unref();
    return json(answer, 429, { error: { message: 'Slow down.' } }, { 'retry-after': '0.3' });
  });
  const { run, traffic } = liveRun(targetAt(server.url, { concurrency: 2 }));
  const all = Array.from({ length: 8 }, (_, n) =>
    scenario(`t/${n}`, { cost }, ({ lists }) => lists.list()),
  );
  const outcomes = await Promise.all(all.map((one) => outcomeOf(run, one)));
  const causes = told(outcomes.flatMap(exchangesOf));
  expect(causes.filter((one) => one === 'rate-limit')).toHaveLength(limited);
  expect(limited).toBeLessThanOrEqual(2);
  expect(server.requests()).toBe(8);
  const { heldBack = [] } = traffic.report();
  expect(heldBack.find(({ by }) => by === 'rate-limit')?.ms).toBeGreaterThan(100);
});

test('a rate that may grow doubles after quiet answers, and falls back at an overload', async () => {
  let isBusy = false;
  const server = await serveHttp((_, answer) =>
    isBusy
      ? json(answer, 503, { error: { message: 'Overloaded, try again later.' } })
      : json(answer, 200, { object: 'list', data: [] }),
  );
  const rates = { requestsPerSecond: 500, mostRequestsPerSecond: 2_000 };
  const { run } = liveRun(targetAt(server.url, rates));
  const { lockouts } = run.retries;
  const spacing = (): number => {
    const now = performance.now();
    lockouts.started(now, false);
    return Math.round(10 * ((lockouts.heldUntil(now, false)?.until ?? now) - now)) / 10;
  };
  expect(spacing()).toBe(2);
  const most = { requests: 120, generations: 0 };
  const many = scenario('t/many', { cost: most }, ({ lists }) =>
    Promise.all(Array.from({ length: 120 }, () => lists.list())),
  );
  await outcomeOf(run, many);
  expect(spacing()).toBe(1);
  isBusy = true;
  await outcomeOf(run, listed);
  expect(spacing()).toBe(2);
});

test('where nothing free was served, few generations are asked for', async () => {
  const server = await serveHttp((request, answer) =>
    request.headers.authorization === 'Bearer canary-owner' && request.method === 'POST'
      ? json(answer, 200, { id: 'resp_1', object: 'response', status: 'completed', output: [] })
      : json(answer, 403, tooOften),
  );
  const paid = { requests: 1, generations: 1 };
  const needs = { model: { speaks: 'responses' } } as const;
  const asked = scenario('t/asked', { needs, cost: paid }, ({ responses }) => responses.create());
  const denials = Array.from({ length: 6 }, (_, n) =>
    scenario(`t/denied-${n}`, { after: { asked }, cost }, denied),
  );
  const { run, traffic } = liveRun(targetAt(server.url, { concurrency: 1 }));
  run.prioritise([...denials, ...Array.from({ length: 9 }, (_, n) => costing(`t/${n}`))]);
  for (const one of denials) await outcomeOf(run, one);
  expect(traffic.generations).toBe(1 + 3);
  const { run: frugal, traffic: little } = liveRun(targetAt(server.url, { concurrency: 1 }));
  frugal.prioritise(denials);
  for (const one of denials) await outcomeOf(frugal, one);
  expect(little.generations).toBe(1);

  function costing(name: string): Scenario {
    return scenario(name, { cost: paid }, async () => undefined);
  }
});
