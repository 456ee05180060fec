import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../../kernel/core/index.ts';
import { faults } from './testing-faults.ts';
import { brokenIn, judgeProxy } from './testing-judge.ts';

const patienceMs = 120_000;

const rows = loadCatalogue('both-sides').checks.filter(({ id }) => id.startsWith('provider/'));

/** Rows that nothing can break: whether a provider is asked at all is told, and blames nobody. */
const neverBroken = ['provider/routing.routed'];

/** Checks that a fault broke, over all faults. */
const noticed = new Set<string>();

describe.each(faults)('$id', ({ breaks, also = [], seams }) => {
  test('breaks what it is meant to break, and nothing else', { timeout: patienceMs }, async () => {
    const broken = brokenIn(await judgeProxy({ seams: seams() })).map(({ id }) => id);
    for (const id of broken) noticed.add(id);
    const isOf = (prefix: string) => (id: string) => id.startsWith(`provider/${prefix}`);
    const missed = breaks.filter((prefix) => !broken.some(isOf(prefix)));
    const others = broken.filter((id) => ![...breaks, ...also].some((prefix) => isOf(prefix)(id)));
    expect({ missed, others }).toEqual({ missed: [], others: [] });
  });
});

test('each check is broken by a fault', () => {
  const unnoticed = rows
    .map(({ id }) => id)
    .filter((id) => !noticed.has(id) && !neverBroken.some((row) => id.startsWith(row)));
  expect(unnoticed).toEqual([]);
});
