import { describe, expect, test } from 'vitest';
import { actsOf, neededBy } from '../../features/explore/history.ts';
import { type Question, worldOf } from '../../features/explore/world.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { exploreGateway } from './explore-gateway.ts';
import { foundRecord, foundRows, medianOf } from './found.ts';
import { groups, historyFaults } from './index.ts';
import { isExposed, mostMoreActs } from './prove-histories.ts';
import { witnessed } from './testing-witness.ts';
import { historyOf, inShort } from './witness.ts';

const ids = historyFaults.map(({ id }) => id);

test('every fault has an id of its own, and says in one sentence what it does', () => {
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, what, group } of historyFaults) {
    expect(id).toMatch(/^histories\/[a-z-]+(\.[A-Za-z0-9-]+)+$/);
    expect(what, id).toMatch(/^\S.*[^.:]\.$/);
    expect(groups).toContain(group);
  }
});

describe('a witness', () => {
  const model = {
    ...{ id: 'm', permitted: ['owner'] as const, regions: ['eu'] },
    ...{ modes: ['one-body'] as const, supports: [] },
  };
  const world = {
    ...{ regions: ['eu', 'us'], ledgers: 0, settleMs: 250 },
    actors: ['owner', 'otherUser'] as const,
    models: [model, { ...model, id: 'n' }],
    questions: ['m', 'n'].map(
      (id): Question => ({
        ...{ stream: true, model: id, permitted: ['owner'], regions: ['eu'], row: '' },
        endpoint: 'messages',
      }),
    ),
  };

  test('stands for a history', () => {
    const { steps } = historyOf('create; continue!; lookup | delete#0@otherUser/1', world);
    expect(steps.map((step) => step.length)).toEqual([1, 1, 2]);
    expect(steps.flat().map(neededBy)).toEqual([null, 0, 1, 0]);
    expect(steps.flat()[1]).toMatchObject({ store: false, previous: 0 });
    expect(steps.flat()[3]).toMatchObject({ actor: 'otherUser', region: 'us' });
  });

  test('is what is told of a history', () => {
    const text =
      'create!; continue#0; ~lookup#1 | delete#0@otherUser/1; create=1; messages:stream=1; list';
    expect(inShort(historyOf(text, world), world)).toBe(text);
  });

  test.each(['crate', 'create:slowly', 'create=2', 'messages', 'lookup@nobody'])(
    '%s is none',
    (text) => {
      expect(() => historyOf(text, world)).toThrow(text.split(/[:=]/)[0]);
    },
  );

  test('of every fault acts on what was made', async () => {
    const { target, close } = await referenceTarget();
    await close();
    const all = worldOf(target);
    for (const { id, witness } of historyFaults) {
      const acts = actsOf(historyOf(witness, all));
      const made = acts.filter(({ kind }) => kind === 'create').map(({ n }) => n);
      for (const act of acts) expect([null, ...made], id).toContain(neededBy(act));
    }
  });
});

test('what was found is written and read', () => {
  const one = { clause: 'STORE-11', kind: 'lookup', shortest: 'create; lookup' };
  const exposed = {
    ...{ id: 'histories/one', acts: 3, seenBy: [] },
    found: [1, 9, 5].map((history) => ({ ...one, history, generations: history * 6, acts: 4 })),
  };
  const rows = foundRows([exposed]);
  expect(rows).toEqual([
    {
      ...{ id: 'histories/one', acts: 3, times: 3, seeds: 3, history: 5, generations: 30 },
      ...{ shortened: 4, longest: 4, seen: false },
    },
  ]);
  expect(foundRecord.parse(foundRecord.format(rows))).toEqual(rows);
  expect(() => foundRecord.parse('histories/one: many\n')).toThrow('no row');
  expect(medianOf([4, 1])).toBe(4);
  expect(isExposed(exposed)).toBe(true);
  expect(isExposed({ ...exposed, acts: 1 })).toBe(false);
  const [first = null] = exposed.found;
  const twice = { ...exposed, found: [first, null, first] };
  expect([isExposed(twice), isExposed({ ...exposed, found: [first, null, null] })]).toEqual([
    true,
    false,
  ]);
  expect(foundRows([twice])).toMatchObject([{ times: 2, seeds: 3, history: 1 }]);
  expect(foundRows([{ ...exposed, found: [first, null, null] }])).toEqual([]);
});

test('nine of ten faults were found and made short, and of more than 40 no fixed check sees anything', () => {
  const rows = foundRecord.rows;
  expect(ids).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  const short = rows.filter(({ acts, shortened }) => shortened <= acts + mostMoreActs);
  expect(short.length).toBeGreaterThanOrEqual(0.9 * ids.length);
  expect(rows.filter(({ seen }) => seen === false).length).toBeGreaterThanOrEqual(40);
});

test.each(groups)(
  'what goes wrong only in the situation %s is shown by its witness',
  async (group) => {
    const fault = historyFaults.find((one) => one.group === group);
    if (fault === undefined) throw new Error(`There is no fault of ${group}`);
    // Faults that are rare or delayed need many performances to show.
    expect(await witnessed(fault, 50)).not.toEqual([]);
  },
);

test('a fault that no single answer shows is found, and made short', async () => {
  const id = 'histories/after.delete-then-cancel.that-is-deleted-lookup';
  const { finds } = await exploreGateway(
    {
      gateway: { kind: 'history', id },
      ...{ seed: 23, histories: 60, generations: 2_000, ms: 60_000, goesOn: false },
    },
    new AbortController().signal,
  );
  expect(Math.min(...finds.map(({ acts }) => acts))).toBe(4);
});
