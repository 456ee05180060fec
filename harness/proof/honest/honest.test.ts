import { expect, test } from 'vitest';
import { honestGateways } from './index.ts';
import { judgeHonest } from './judge-honest.ts';
import { formatOutcomes, parseOutcomes, readOutcomes } from './verdicts.ts';

const ids = honestGateways.map(({ id }) => id);

test('every honest gateway has an id of its own, and says in one sentence what it is like', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const { id, what } of honestGateways) {
    expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
    expect(what, id).toMatch(/^\S.*[^.:]\.$/);
  }
});

test('every honest gateway has been judged', () => {
  const rows = readOutcomes();
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(parseOutcomes(formatOutcomes(rows))).toEqual(rows);
});

/** Those that take no longer than others; `prove --honest` judges all. */
const quick = ['front.passes-on', 'counts.differ-by-3', 'thinking.six-tokens'];

test('the quick ones are conformant', { timeout: 180_000 }, async () => {
  const runs = await judgeHonest(quick, { seeds: [1], busy: [false] }, {});
  expect(runs.filter(({ verdict }) => verdict !== 'conformant')).toEqual([]);
  expect(runs).toHaveLength(quick.length);
});
