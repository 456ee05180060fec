import { expect, test } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { searchRequirements } from './search.ts';

const { requirements } = loadCatalogue();

function search(query: string): string[] {
  return searchRequirements(requirements, query).map(({ id }) => id);
}

test('finds a row by words of its id, although its sentence has another verb', () => {
  expect(search('background requires store')[0]).toBe('background/runs.needs-store');
});

test('finds a row by words of its sentence, in any order, case and number', () => {
  expect(search('Regions REDIRECTS denied')).toContain('access/regions.other-region-denied');
});

test('finds the rows that cite a clause, and not those of a longer number', () => {
  const citing = requirements.filter(({ basis }) =>
    basis.citations.some(({ id }) => id === 'AUTH-1'),
  );
  expect(citing.length).toBeGreaterThan(0);
  expect(search('auth-1').toSorted()).toEqual(citing.map(({ id }) => id).toSorted());
});

test('finds nothing by words that no row has', () => {
  expect(search('zebra crossing')).toEqual([]);
  expect(search(' .,; ')).toEqual([]);
});
