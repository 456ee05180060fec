import { expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { everywhereCheck } from '../../kernel/engine/everywhere.ts';
import { scenario } from '../../kernel/engine/scenario.ts';
import { targetAt } from '../../kernel/engine/testing.ts';
import { ExpectationFailed } from '../../kernel/judge/failure.ts';
import { EverywhereJudge } from './everywhere.ts';
import { sentOf } from './testing.ts';

const least = scenario('test/least', { cost: { requests: 0, generations: 0 } }, async () => []);
const probed = scenario(
  'test/probed',
  { needs: { probes: ['clock'] }, cost: { requests: 0, generations: 0 } },
  async () => [],
);

/** Blames what is not answered with the number of exchanges in its history. */
const counted = (on: typeof least) =>
  everywhereCheck(loadCatalogue().find('storage/responses.lookup-shape'), {
    least: on,
    which: ({ about }) => about.operation === 'responses.lookup',
    judge({ response }, { exchanges }) {
      const body = new TextDecoder().decode(response?.body);
      if (body !== String(exchanges.length)) throw new ExpectationFailed('its count', body);
    },
  });

const sent = (n: number, operation: string, count: number) =>
  sentOf({ n, actor: 'owner', region: 'here', kind: 'list' }, count, { operation });

test('what is judged on every exchange blames the act, and no other', () => {
  const judge = new EverywhereJudge(targetAt('http://127.0.0.1:9'), [counted(least)]);
  const right = sent(0, 'responses.lookup', 3);
  const wrong = sent(1, 'responses.lookup', 4);
  const another = sent(2, 'responses.create', 4);
  const found = judge.violationsIn([right, wrong, another]);
  expect(found).toMatchObject([
    {
      ...{ n: 1, row: 'storage/responses.lookup-shape', level: 'MUST', expected: 'its count' },
      ...{ kind: 'storage/responses.lookup-shape', clause: 'responses-retrieve', actual: '4' },
    },
  ]);
  expect(found[0]?.exchange).toBe(wrong.exchange);
});

test('what rests on a probe is judged where it was asked', () => {
  const judge = new EverywhereJudge(targetAt('http://127.0.0.1:9'), [counted(probed)]);
  expect(judge.violationsIn([sent(0, 'responses.lookup', 4)])).toEqual([]);
});
