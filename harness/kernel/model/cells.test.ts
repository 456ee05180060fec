import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import {
  type Cell,
  type Design,
  designOf,
  expectedOf,
  inWords,
  isGranted,
  type World,
  wayOf,
} from './cells.ts';
import { rowOf } from './rows.ts';

const world: World = { regions: ['eu', 'us'], clock: true, thorough: false, obstacle: () => null };

const worlds: readonly (readonly [string, World])[] = [
  ['one region', { ...world, regions: ['eu'] }],
  ['two regions', world],
  ['three regions', { ...world, regions: ['eu', 'us', 'ap'] }],
  ['no clock', { ...world, clock: false }],
  ['two regions, thorough', { ...world, thorough: true }],
];

describe.each(worlds)('the design with %s', (_, one) => {
  const design: Design = designOf(one);
  const denials = design.cells.filter((cell) => !isGranted(cell));

  test('covers every pair that can be tried', () => {
    const { covered, of } = design.covered(2);
    expect(covered).toBe(of);
  });

  test('tries each cell on a response that is there', () => {
    const tried = new Set(design.subjects.flatMap((plan) => design.cellsOf(plan)));
    const lost = design.cells.filter((cell) => !tried.has(cell));
    expect(lost).toEqual([]);
  });

  test('has a denial for each reason alone, and none without a reason', () => {
    for (const cell of denials) {
      for (const reason of [cell.reason, ...(cell.second === null ? [] : [cell.second])]) {
        const through = reason === 'other-region' ? cell.through : cell.home;
        const alone: Cell = { ...cell, reason, second: null, through };
        const without: Cell = { ...alone, reason: 'none', through: cell.home };
        expect(expectedOf(alone).outcome, inWords(alone)).not.toBe('served');
        expect(expectedOf(without).outcome, inWords(without)).not.toBe('denied');
      }
    }
  });

  test('tries every pair of reasons that can meet with each operation, in each region', () => {
    const { covered, of } = design.coveredReasons();
    expect(covered).toBe(of);
    const regions = one.regions.length;
    const lookups = new Set(
      denials.flatMap(({ operation, reason, second, home, through }) =>
        operation === 'lookup' && second !== null ? [`${reason} ${second} ${home} ${through}`] : [],
      ),
    );
    // Four keys with each state at home, and with each other region, and each state there.
    const states = one.clock ? 3 : 2;
    expect(lookups.size).toBe(regions * (4 * states + (regions - 1) * (4 + states)));
  });

  test('has a control for each denial of what is served to the owner in that region', () => {
    const served = design.cells.filter(isGranted);
    for (const cell of denials) {
      const control = {
        ...cell,
        reason: 'none',
        second: null,
        through: cell.home,
        state: 'finished',
      } as const;
      if (expectedOf(control).outcome !== 'served') continue;
      if (cell.operation === 'cancel' || cell.operation === 'delete') continue;
      const alike = served.some(
        ({ operation, home }) => operation === cell.operation && home === cell.home,
      );
      expect(alike, `${wayOf(cell)} in ${cell.home}`).toBe(true);
    }
  });

  test('tries every operation of the owner on every content', () => {
    const own = design.cells.filter(({ reason }) => reason === 'none');
    const contents = new Set(design.subjects.map(({ content }) => content));
    expect(contents.size).toBe(4);
    for (const content of contents) {
      const tried = new Set(own.filter((one) => one.content === content).map(wayOf));
      for (const way of ['lookup/path', 'input-items/path', 'input-items/page']) {
        expect(tried, content).toContain(way);
      }
      for (const operation of ['continue/', 'continue-websocket/']) {
        const isTried = [...tried].some((way) => way.startsWith(operation));
        expect(isTried, `${operation} ${content}`).toBe(true);
      }
    }
  });

  test('is the same each time', () => {
    expect(designOf(one).cells).toEqual(design.cells);
  });
});

test('every region is a home, and every other one denies', () => {
  const { cells } = designOf({ ...world, regions: ['eu', 'us', 'ap'] });
  const asked = cells
    .filter(({ reason, operation }) => reason === 'other-region' && operation === 'lookup')
    .map(({ home, through }) => `${home}>${through}`);
  expect([...new Set(asked)].sort()).toEqual([
    'ap>eu',
    'ap>us',
    'eu>ap',
    'eu>us',
    'us>ap',
    'us>eu',
  ]);
});

test('every triple that costs nothing is tried, and whoever is thorough tries more that costs generations', () => {
  const plain = designOf(world);
  const thorough = designOf({ ...world, thorough: true });
  const generating = ({ cells }: Design) =>
    cells.filter((cell) => isGranted(cell) && cell.operation.startsWith('continue')).length;
  const wayOfMode = plain.cells.map((cell) => `${cell.reason} ${cell.mode} ${wayOf(cell)}`);
  expect(wayOfMode).toContain('other-user continuation delete');
  expect(wayOfMode).toContain('expired websocket lookup/unstreamed');
  expect(plain.covered(3).covered).toBeGreaterThan(0.95 * plain.covered(3).of);
  expect(generating(thorough)).toBeGreaterThan(3 * generating(plain));
  const rowsOf = ({ cells }: Design) => new Set(cells.map(rowOf));
  expect([...rowsOf(plain)].filter((row) => !rowsOf(thorough).has(row))).toEqual([]);
});

test('what cannot be tried says why', () => {
  const none = designOf({
    ...world,
    obstacle: ({ reason }) => (reason === 'other-user' ? 'there is no other user' : null),
  });
  expect(none.cells.some(({ reason }) => reason === 'other-user')).toBe(false);
  expect(none.unreachable.get('there is no other user')).toBeGreaterThan(0);
});

test('each cell belongs to a row of the level that the model gives it', () => {
  const catalogue = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  for (const cell of designOf({ ...world, thorough: true }).cells) {
    const row = rowOf(cell);
    // Two reasons have one row: where the status is open, the row asks that nothing of the content is shown.
    if (row === null || isGranted(cell) || cell.second !== null) continue;
    const level = expectedOf(cell).outcome === 'denied' ? 'MUST' : 'SHOULD';
    expect([row, catalogue.get(row)]).toEqual([row, level]);
  }
});
