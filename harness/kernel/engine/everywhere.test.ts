import { expect, test } from 'vitest';
import type { CheckVerdict } from '../core/verdict.ts';
import { ExpectationFailed, Inconclusive } from '../judge/failure.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { everywhereCheck } from './everywhere.ts';
import { whenReady } from './executor.ts';
import type { Everywhere } from './registry.ts';
import { type After, scenario } from './scenario.ts';
import { liveRun, targetAt } from './testing.ts';
import { verdictsOf } from './verdicts.ts';

const basis = { citations: [], judgement: 'Here.' };
const row = { id: 'a/b.c', level: 'MUST', basis } as const;
const definition = {
  ...row,
  value: null,
  requirement: {
    ...row,
    text: 'It holds.',
    axis: null,
    judges: 'gateway' as const,
    unchecked: null,
  },
};

/** Asks for the model list so many times; of a busy gateway the first answer is 429. */
const asks = (name: string, times: number, after: After = {}) =>
  scenario(name, { cost: { requests: times, generations: 0 }, after }, async ({ lists }) => {
    for (let time = 0; time < times; time++) await lists.list();
  });

async function verdictOn(
  on: Partial<Everywhere>,
  judgement: Everywhere['judge'],
  { busy = false, besides = [asks('one', 2), asks('other', 3)] } = {},
): Promise<CheckVerdict | undefined> {
  let answered = 0;
  const server = await serveHttp((_, answer) => {
    answer.statusCode = busy && answered++ === 0 ? 429 : 200;
    answer.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
  const least = on.least ?? asks('least', 1);
  const check = everywhereCheck(definition, { which: () => true, ...on, least, judge: judgement });
  const { run } = liveRun(targetAt(server.url));
  return (await verdictsOf(run, [check], { besides })).get(check.id);
}

const failing = () => {
  throw new ExpectationFailed('one', 'two');
};

test('every exchange of a run is judged, and its own', async () => {
  expect(await verdictOn({}, () => {})).toEqual({
    state: 'pass',
    points: { judged: 6, broken: 0 },
  });
});

test('those of a scenario that starts late are judged, too', async () => {
  const late = scenario(
    'late',
    { expires: true, cost: { requests: 1, generations: 0 } },
    ({ lists }) => lists.list(),
  );
  const besides = [asks('last', 1, { late, first: asks('first', 1) })];
  expect(await verdictOn({}, () => {}, { besides })).toMatchObject({ points: { judged: 4 } });
});

test('the verdict names the exchanges in which it does not hold', async () => {
  const judgement: Everywhere['judge'] = (exchange) => {
    if (exchange.id.scenario === 'other') throw new ExpectationFailed('one', 'two', exchange);
  };
  expect(await verdictOn({}, judgement)).toMatchObject({
    state: 'fail',
    actual: 'two (in 3 of 6 exchanges: GET /v1/models)',
    evidence: { exchange: 'other#main/0' },
    points: { judged: 6, broken: 3 },
  });
});

test('only those to which it applies are judged, and what says nothing of a gateway is not', async () => {
  const which: Everywhere['which'] = ({ id }) => id.scenario === 'other';
  expect(await verdictOn({ which }, failing)).toMatchObject({ points: { judged: 3, broken: 3 } });
  const busy = { busy: true };
  expect(await verdictOn({}, () => {}, busy)).toMatchObject({ points: { judged: 5 } });
  const partial = { partial: true };
  expect(await verdictOn(partial, () => {}, busy)).toMatchObject({ points: { judged: 6 } });
});

test('what decides nothing is left out, unless it is all there is', async () => {
  const undecided: Everywhere['judge'] = (exchange) => {
    if (exchange.id.scenario !== 'one') throw new Inconclusive('it decides nothing', exchange);
  };
  expect(await verdictOn({}, undecided)).toMatchObject({ state: 'pass', points: { judged: 2 } });
  expect(await verdictOn({}, undecided, { besides: [] })).toMatchObject({
    state: 'inconclusive',
    reason: 'it decides nothing',
  });
});

test('what decides nothing is no gap where what would show it was not asked for', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const { run } = liveRun(targetAt(server.url));
  await verdictsOf(run, [], { besides: [asks('one', 1)] });
  const judged = everywhereCheck(definition, {
    ...{ which: () => true, least: asks('least', 1) },
    judge(exchange) {
      throw new Inconclusive('it decides nothing', exchange);
    },
  });
  expect(await (await whenReady(run, judged))()).toMatchObject({
    state: 'not-applicable',
    reason: 'what would show it was not asked for',
  });
});

test('where there is nothing to judge, what was to be sent says why', async () => {
  const which = () => false;
  expect(await verdictOn({ which }, failing)).toMatchObject({
    state: 'not-applicable',
    reason: 'there is no exchange that it applies to',
  });
  const least = scenario(
    'least',
    { needs: { keys: ['otherUser'] }, cost: { requests: 1, generations: 0 } },
    ({ lists }) => lists.list(),
  );
  expect(await verdictOn({ which, least }, failing)).toMatchObject({ state: 'untestable' });
  expect(await verdictOn({ least }, failing)).toMatchObject({ points: { judged: 5 } });
});

test('a mistake of ours is an error', async () => {
  const ours = () => {
    throw new TypeError('ours');
  };
  expect(await verdictOn({}, ours)).toMatchObject({ state: 'error' });
});
