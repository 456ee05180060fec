import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { type ExchangeId, formatId } from '../../core/exchange-id.ts';
import { idFrom } from '../../core/testing.ts';
import type { Call, CallOptions } from '../../protocols/call.ts';
import { withDefaults } from '../../targets/defaults.ts';
import type { Target } from '../../targets/target.ts';
import { run } from '../run.ts';
import { reference } from '../testing.ts';
import { kindsOfLoad, LoadOfRun, type LoadOptions, mostOfLoad } from './load.ts';
import { besideOthers, loadReport } from './load-report.ts';

const target: Target = withDefaults(
  {
    name: 'test',
    regions: [{ name: 'here', baseUrl: 'http://127.0.0.1:9' }],
    keys: { owner: 'canary-owner', otherUser: 'canary-other' },
    models: [{ id: 'm', protocols: ['responses', 'chat'], supports: ['stream'] }],
  },
  'test',
);

interface Asked {
  readonly id: ExchangeId;
  readonly call: Call;
  readonly options: CallOptions;
  answer(exchange: Partial<Exchange>): void;
}

/** A load whose answers the test gives. */
function load(options: Partial<LoadOptions>) {
  const asked: Asked[] = [];
  const made = new LoadOfRun({
    ...{ target, seed: 1, inFlight: 2, generations: 100 },
    stop: new AbortController().signal,
    progress: () => 1,
    heldUntil: () => null,
    isGivenUp: () => false,
    send: (id, call, how) =>
      new Promise((resolve) => {
        asked.push({
          id,
          call,
          options: how,
          answer: (one) => resolve(exchange(formatId(id), one)),
        });
      }),
    ...options,
  });
  return { made, asked };
}

function exchange(text: string, fields: Partial<Exchange> = {}): Exchange {
  return {
    id: idFrom(text),
    about: { operation: 'responses.create', protocol: 'responses', region: 'here', key: 'owner' },
    request: { method: 'POST', url: 'http://127.0.0.1:9/v1/responses', headers: [], body: null },
    response: answered(200),
    ...{ socket: null, failure: null, echoed: [] },
    times: { started: 0, headers: 10, ended: 100 },
    ...fields,
  };
}

function answered(status: number): NonNullable<Exchange['response']> {
  const body = new TextEncoder().encode('{}');
  return { status, headers: [], body, chunks: [{ at: 20, end: 2 }], complete: true };
}

/** Lets pending promises settle. */
async function turn(): Promise<void> {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('turn'));
  await once(emitter, 'turn');
}

test('keys take turns over each protocol that has an output limit, in one body and as a stream', () => {
  const kinds = kindsOfLoad(target);
  expect(kinds.slice(0, 2).map(({ options }) => options.key)).toEqual(['owner', 'otherUser']);
  expect(new Set(kinds.map(({ protocol, stream }) => `${protocol} ${stream}`)).size).toBe(4);
});

test('so many are in flight, each with a word of its own, and no more than may be in all', async () => {
  const { made, asked } = load({ generations: 3 });
  made.look();
  expect(asked).toHaveLength(2);
  asked[0]?.answer({});
  await turn();
  expect(asked.map(({ id }) => formatId(id))).toEqual([
    'load/0#main/0',
    'load/1#main/0',
    'load/2#main/0',
  ]);
  expect(new Set(asked.map(({ call }) => JSON.stringify(call.body))).size).toBe(3);
  for (const { answer } of asked) answer({});
  await turn();
  expect(asked).toHaveLength(3);
  expect(await made.end()).toHaveLength(3);
});

test('what may be asked for in all lasts as long as the run does', async () => {
  let progress = 0;
  const { made, asked } = load({ generations: 20, progress: () => progress });
  const answerAll = async (): Promise<void> => {
    for (let index = 0; index < asked.length; index++) {
      asked[index]?.answer({});
      await turn();
    }
  };
  made.look();
  await answerAll();
  expect(asked).toHaveLength(2);
  progress = 0.5;
  made.look();
  await answerAll();
  expect(asked).toHaveLength(12);
});

test('a request of the run that would have nothing beside it takes of what is left, up to a quarter', async () => {
  const { made, asked } = load({ inFlight: 1, generations: 40, progress: () => 0 });
  for (let request = 0; request < 20; request++) {
    made.beside();
    made.beside();
    asked.at(-1)?.answer({});
    await turn();
  }
  // The first has its turn, and ten are taken.
  expect(asked).toHaveLength(11);
});

test('what is put off is not asked for again, and the next one waits', async () => {
  const { made, asked } = load({});
  made.look();
  asked[0]?.answer({ response: answered(429) });
  await turn();
  made.look();
  expect(asked).toHaveLength(2);
  asked[1]?.answer({});
  expect(await made.end()).toHaveLength(2);
});

test('nothing is asked for while the gateway holds the run back, or when it is given up', () => {
  const held = load({ heldUntil: (now) => ({ until: now + 60_000, by: 'lockout' }) });
  held.made.look();
  void held.made.end();
  const givenUp = load({ isGivenUp: () => true });
  givenUp.made.look();
  expect([held.asked, givenUp.asked]).toEqual([[], []]);
});

test('the report tells the load from the run, and both in percentiles', () => {
  const own = exchange('responses/stored#main/0', {
    times: { started: 50, headers: 60, ended: 80 },
  });
  const alone = exchange('responses/stored#main/1', {
    times: { started: 200, headers: 201, ended: 210 },
  });
  const off = exchange('load/1#main/0', { response: answered(429) });
  const report = loadReport({ inFlight: 2, generations: 2 }, [
    exchange('load/0#main/0'),
    off,
    own,
    alone,
  ]);
  expect(report).toMatchObject({
    ...{ inFlight: 2, most: 2, requests: 2, generations: 1, putOff: 1 },
    ...{ requestsOfRun: 2, besideRequests: 1, spentAtMs: 100, ownMs: 40, besideMs: 60 },
    latency: { generations: 1, firstByteMs: { p50: 20 }, wholeMs: { p50: 100, p99: 100 } },
    latencyOfRun: { generations: 2, wholeMs: { p50: 10, p90: 30 } },
  });
});

test('what an overload left undecided names the load', () => {
  const beside = { inFlight: 4, generations: 9 };
  const open = {
    state: 'inconclusive',
    cause: 'rate-limit',
    reason: '429',
    evidence: null,
  } as const;
  expect(besideOthers(open, beside)).toMatchObject({
    reason: '429 (4 other generations were kept in flight: --under-load)',
  });
  const control = { ...open, cause: 'control' } as const;
  expect(besideOthers(control, beside)).toBe(control);
});

test('as many as the longest chain has requests, each time, and no fewer than for four', () => {
  const wide = { ...target, limits: { ...target.limits, concurrency: 16 } };
  const most = [1, 4, 8].map((inFlight) =>
    mostOfLoad({ longestChain: 120, expectedGenerations: 220 }, wide, inFlight),
  );
  expect(most).toEqual([480, 480, 960]);
  expect(mostOfLoad({ longestChain: 2, expectedGenerations: 160 }, wide, 4)).toBe(40);
});

test('a right gateway has the same verdicts under load, and the load is judged everywhere', async () => {
  const { target: gateway } = await reference({ regions: ['eu'] });
  const filters = ['generation/messages.shape', 'everywhere/content.own-words-only:responses'];
  const stateOf = async (load?: { inFlight: number; generations: number }) =>
    run({ target: gateway, seed: 1, filters, load });
  const [without, beside] = [await stateOf(), await stateOf({ inFlight: 4, generations: 40 })];
  const states = (of: typeof without) => of.checks.map(({ verdict }) => verdict.state);
  expect(states(beside)).toEqual(states(without));
  expect(beside.traffic.generations).toBe(without.traffic.generations);
  const { load } = beside.traffic;
  expect(load).toMatchObject({ inFlight: 4, most: 40, putOff: 0 });
  // Every request of the run had load in flight beside it.
  expect(load?.besideRequests).toBe(load?.requestsOfRun);
  expect(without.traffic).not.toHaveProperty('load');
  const judged = ({ checks }: typeof without) =>
    checks.flatMap(({ verdict }) => ('points' in verdict ? (verdict.points?.judged ?? 0) : 0));
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
  expect(sum(judged(beside))).toBeGreaterThan(sum(judged(without)));
});
