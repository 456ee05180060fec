import { expect, test } from 'vitest';
import { compare, countsTable, failuresTable } from './compare.ts';
import { knownFailures } from './known.ts';
import type { Outcome } from './suite.ts';
import { suites } from './suites.ts';

const outcome = (id: string, state: Outcome['state']): Outcome => ({
  id,
  what: id,
  state,
  said: 'a|b',
});
const known = [{ id: 'one/listed', because: 'of this', source: 'there' }];

test('a failure is known, or new; one that is listed and passes is told', () => {
  const failing = [outcome('one/listed', 'failed'), outcome('one/other', 'failed')];
  expect(compare(failing, known, ['one'])).toEqual({ fresh: [failing[1]], stale: [] });
  const passing = [outcome('one/listed', 'passed'), outcome('one/other', 'open')];
  expect(compare(passing, known, ['one'])).toEqual({ fresh: [], stale: known });
  // Failures of a suite that was not run are not reported as stale.
  expect(compare([], known, ['two'])).toEqual({ fresh: [], stale: [] });
});

test('the tables count, and give the reason', () => {
  const outcomes = [outcome('one/listed', 'failed'), outcome('one/other', 'passed')];
  const table = countsTable([{ suite: 'one', version: '1', way: 'full', outcomes }]);
  expect(table).toMatch(/\| one +\| 1 +\| full +\| 2 +\| 1 +\| 1 +\| 0 +\|$/);
  expect(failuresTable(outcomes, known)).toMatch(/`one\/listed` \| a\\\|b +\| of this +\| there/);
  expect(failuresTable(outcomes, [])).toContain('not looked at yet');
});

test('a report without results is no report', () => {
  for (const { read } of suites) {
    expect(() => read('{"results": [], "conformance": {}}', 'x')).toThrow('has no results');
  }
});

test('every known failure belongs to a suite', () => {
  const names = suites.map(({ name }) => name);
  for (const { id } of knownFailures) expect(names).toContain(id.split('/')[0]);
});
