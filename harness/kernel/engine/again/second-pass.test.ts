import { expect, test } from 'vitest';
import { formatId } from '../../core/exchange-id.ts';
import type { CheckVerdict } from '../../core/verdict.ts';
import { expect as expectExchange } from '../../judge/expect.ts';
import { readRecording } from '../../recordings/recording.ts';
import { serveHttp } from '../../wire/testing-server.ts';
import type { LiveRunOptions } from '../live-run.ts';
import { scenario } from '../scenario.ts';
import { checkOn, recordRun, replay, targetAt } from '../testing.ts';
import { verdictsOf } from '../verdicts.ts';

const speaks = { model: { speaks: 'responses' } } as const;

const created = scenario(
  't/created',
  { needs: speaks, cost: { requests: 1, generations: 1 } },
  ({ responses }) => responses.create(),
);
const found = scenario(
  't/found',
  { after: { created }, cost: { requests: 1, generations: 0 } },
  ({ raw }) => raw.send({ operation: 'x', method: 'GET', path: '/found' }),
);
const other = scenario('t/other', { cost: { requests: 1, generations: 0 } }, ({ lists }) =>
  lists.list(),
);
const checks = [
  checkOn('t/created', created, (answer) => expectExchange(answer).toBeServed()),
  checkOn('t/found', found, (answer) => expectExchange(answer).toBeServed()),
  checkOn('t/other', other, (answer) => expectExchange(answer).toBeServed()),
];

/** Answers what is found with these statuses, one after another, and then with 200; all else at once. */
async function judged(
  statuses: readonly number[],
  options: Pick<LiveRunOptions, 'settle' | 'generations'> = {},
) {
  const left = [...statuses];
  const server = await serveHttp((request, answer) => {
    const status = request.url === '/found' ? (left.shift() ?? 200) : 200;
    const body = {
      id: `resp_${Math.random()}`,
      object: 'response',
      status: 'completed',
      output: [],
    };
    answer.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0.01' });
    const list = { object: 'list', data: [] };
    if (request.url === '/v1/models') answer.end(JSON.stringify(list));
    else answer.end(JSON.stringify(status === 200 ? body : { error: { message: 'Later.' } }));
  });
  const { path, came, traffic } = await recordRun(
    targetAt(server.url),
    async (run) => {
      run.prioritise([created, found, other]);
      const told: string[] = [];
      const verdicts = await verdictsOf(run, checks, { onVerdict: ({ id }) => told.push(id) });
      expect(told.sort()).toEqual(checks.map(({ id }) => id).sort());
      return verdicts;
    },
    options,
  );
  return { path, states: statesIn(came), traffic, requests: () => server.requests() };
}

function statesIn(verdicts: ReadonlyMap<string, CheckVerdict>): Record<string, string> {
  return Object.fromEntries([...verdicts].map(([id, { state }]) => [id.slice(2), state]));
}

test('what was put off is asked for once more with what it builds on, and judged alike again', async () => {
  const { path, states, requests } = await judged([429]);
  expect(states).toEqual({ created: 'pass', found: 'pass', other: 'pass' });
  expect(requests()).toBe(5);
  const asked = readRecording(path).exchanges.filter(({ id }) => id.again.includes('put-off'));
  expect(asked.map(({ id }) => formatId(id)).sort()).toEqual([
    't/created#main/0+put-off',
    't/found#main/0+put-off',
  ]);
  const again = replay(path);
  expect(statesIn(await verdictsOf(again, checks))).toEqual(states);
  expect(again.unasked).toEqual([]);
  expect(again.strays).toBe(0);
  expect(requests()).toBe(5);
});

test('it is asked for once more, and no oftener; what comes of it then counts', async () => {
  const undecided = await judged([429, 429]);
  expect(undecided.states).toMatchObject({ found: 'inconclusive' });
  expect(undecided.requests()).toBe(5);
  expect((await judged([429, 404])).states).toMatchObject({ found: 'fail' });
});

test('it is not asked for where that was not wished, or would cost more than was announced', async () => {
  for (const options of [{ settle: 'none' }, { generations: 1 }] as const) {
    const { path, states, requests } = await judged([429], options);
    expect(states).toMatchObject({ found: 'inconclusive' });
    expect(requests()).toBe(3);
    expect(statesIn(await verdictsOf(replay(path), checks))).toEqual(states);
  }
  expect((await judged([429], { generations: 2 })).states).toMatchObject({ found: 'pass' });
});

test('other transient failures are settled where that is asked for', async () => {
  expect((await judged([504])).states).toMatchObject({ found: 'inconclusive' });
  const settled = await judged([504], { settle: 'transient' });
  expect(settled.states).toMatchObject({ found: 'pass' });
});
