import { expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { assemble } from './assemble.ts';
import { scenario } from './scenario.ts';
import { checkOn, targetAt } from './testing.ts';

const catalogue = loadCatalogue();
const ids = catalogue.checks.map(({ id }) => id);
const pass: CheckVerdict = { state: 'pass' };
const nothing = scenario('s', { cost: { requests: 0, generations: 0 } }, async () => undefined);

function result(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  {
    selected = null,
    interrupted = false,
  }: { selected?: string[] | null; interrupted?: boolean } = {},
) {
  return assemble({
    catalogue,
    target: targetAt('http://127.0.0.1:1'),
    seed: 7,
    runId: 'run',
    selected: selected === null ? null : new Set(selected),
    checks: [...verdicts.keys()].map((id) => checkOn(id, nothing, () => undefined)),
    verdicts,
    lags: new Map(),
    traffic: {
      requests: 1,
      generations: 1,
      spanMs: 1,
      longestChainMs: 1,
      longestChainRequests: 1,
      longestChainPausesMs: 0,
      latencyMs: 1,
    },
    filters: [],
    strict: false,
    interrupted,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
  });
}

test('the denominator is the catalogue: a check that nobody bound is an error, not forgotten', () => {
  const [lost = '', ...rest] = ids;
  const { checks, counts, verdict } = result(new Map(rest.map((id) => [id, pass])));
  expect(checks.map(({ id }) => id)).toEqual(ids);
  expect(checks[0]).toMatchObject({
    id: lost,
    scenarios: [],
    verdict: { state: 'error', reason: expect.stringContaining('no check is bound to it') },
  });
  expect(counts).toMatchObject({ pass: ids.length - 1, error: 1, excluded: 0 });
  expect(verdict).toBe('indeterminate');
});

test('what the user left out is excluded, and makes the run partial', () => {
  const selected = ids.slice(0, 3);
  const { counts, verdict } = result(new Map(selected.map((id) => [id, pass])), { selected });
  expect(counts).toMatchObject({ pass: 3, excluded: ids.length - 3, error: 0 });
  expect(verdict).toBe('partial');
});

test('all that holds is conformant; one broken MUST is not, whatever else there is', () => {
  const all = new Map<string, CheckVerdict>(ids.map((id) => [id, pass]));
  expect(result(all).verdict).toBe('conformant');
  const must = catalogue.checks.find(({ level }) => level === 'MUST')?.id ?? '';
  const other = ids.findLast((id) => id !== must) ?? '';
  const broken = new Map<string, CheckVerdict>(all)
    .set(must, { state: 'fail', expected: 'a', actual: 'b', evidence: null })
    .set(other, { state: 'error', reason: 'ours' });
  expect(result(broken).verdict).toBe('nonconformant');
});

test('the rows that cannot be observed are listed, with their reasons', () => {
  const { unchecked } = result(new Map());
  expect(unchecked.length).toBeGreaterThan(0);
  for (const { id, reason } of unchecked) {
    expect(reason).not.toBe('');
    expect(ids.some((checked) => checked === id || checked.startsWith(`${id}:`))).toBe(false);
  }
});
