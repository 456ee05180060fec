import { expect as expectValue } from 'vitest';
import { ExpectationFailed, Inconclusive, NothingToJudge } from '../../judge/failure.ts';
import { check } from '../check.ts';
import { scenario } from '../scenario.ts';

/** Checks with every kind of outcome, bound to rows of the catalogue. Not those of the suites. */

const needs = { model: { speaks: 'responses' } } as const;

const created = scenario(
  'sample/created',
  { needs, cost: { requests: 1, generations: 1 } },
  ({ responses }) => responses.create(),
);
const broken = scenario('sample/broken', { cost: { requests: 1, generations: 0 } }, async (io) => {
  await io.lists.list();
  throw new RangeError('the scenario broke');
});
const undecided = scenario(
  'sample/undecided',
  { after: { created }, cost: { requests: 0, generations: 0 } },
  async (_, { created: exchange }) => {
    throw new Inconclusive('nothing to go on with', exchange);
  },
);
const listed = scenario('sample/list', { cost: { requests: 1, generations: 0 } }, ({ lists }) =>
  lists.list(),
);
const owing = scenario(
  'sample/owing',
  { needs: { regions: 9 }, cost: { requests: 1, generations: 0 } },
  ({ lists }) => lists.list(),
);
const afterwards = scenario(
  'sample/afterwards',
  { after: { undecided }, cost: { requests: 1, generations: 0 } },
  ({ lists }) => lists.list(),
);

check('generation/responses.shape', created, () => undefined);
check('generation/responses.full-shape', created, (exchange) => {
  throw new ExpectationFailed('something else', 'this', exchange);
});
check('generation/responses.id-unique', created, () => {
  throw new TypeError('the check broke');
});
check('generation/responses.usage-adds-up', created, () => {
  expectValue(1).toBe(2);
});
check('generation/responses.status-explained', created, () => {
  throw new NothingToJudge('nothing there');
});
check.each('access/credentials.key-required', () => ({ on: broken, judge: () => undefined }));
check('models/list.shape', afterwards, () => undefined);
check('models/list.permitted-only', { created, listed }, ({ created: one, listed: list }) => {
  expectValue([one.about.operation, list.about.operation]).toEqual([
    'responses.create',
    'models.list',
  ]);
});
check('models/list.entry-fields', { listed, afterwards }, () => undefined);
check('models/list.ids-unique', { listed, owing }, () => undefined);
