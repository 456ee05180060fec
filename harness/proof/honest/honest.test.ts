import { expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { covers } from '../../kernel/core/index.ts';
import { brokenTwins, honestGateways, judgedByAll } from './index.ts';
import { isJudgedRight, judgeHonest } from './judge-honest.ts';
import { outcomes } from './verdicts.ts';

const all = [...honestGateways, ...brokenTwins];

test('every honest gateway has an id of its own, and says in one sentence what it is like', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { id, what } of all) {
    expect(id).toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/);
    expect(what, id).toMatch(/^\S.*[^.:]\.$/);
  }
});

test('every honest gateway has been judged', () => {
  const { rows } = outcomes;
  expect(rows.map(({ id }) => id)).toEqual(judgedByAll.map(({ id }) => id));
  expect(outcomes.parse(outcomes.format(rows))).toEqual(rows);
});

test('every broken twin names checks that there are', () => {
  const { checks } = loadCatalogue();
  for (const { id, breaks } of brokenTwins) {
    expect(breaks.length, id).toBeGreaterThan(0);
    for (const row of breaks) {
      expect(checks.filter((check) => covers([row], check.id)).length, row).toBeGreaterThan(0);
    }
  }
});

/**
 * Honest gateways that take no longer than others to judge, with the checks that compare counts; `prove
 * --honest` judges all gateways by all checks.
 */
const quick = ['counts.differ-by-3', 'counts.differ-by-3.forgets-the-history'];
const counting = /^(counting|metering)\/|^(generation\/usage|storage\/continuation)\./;

test('the quick ones are conformant, and their broken twins are not', {
  timeout: 180_000,
}, async () => {
  const ids = loadCatalogue().checks.map(({ id }) => id);
  const selected = ids.filter((id) => counting.test(id));
  const runs = await judgeHonest(quick, { passes: [{ seed: 1, busy: false }], selected }, {});
  expect(runs.filter((run) => !isJudgedRight(run))).toEqual([]);
  expect(runs).toHaveLength(quick.length);
});
