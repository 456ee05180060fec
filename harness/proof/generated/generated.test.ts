import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { covers } from '../../kernel/core/index.ts';
import { startReference } from '../../reference/index.ts';
import { bearer, get } from '../../reference/testing-requests.ts';
import { conditionsOn, nameOf } from './condition.ts';
import { generatedFault, generatedFaults, sampleOf } from './index.ts';
import { type KillRow, killRecord, killRows } from './kill-table.ts';
import { noticing, proveGenerated } from './prove-generated.ts';
import { reachedBy } from './reached.ts';

describe('conditions', () => {
  const points = ['eu', 'us'].flatMap((region) =>
    ['lookup', 'delete'].map((operation) => ({
      region,
      operation,
      mode: operation === 'delete' ? 'plain' : 'query',
    })),
  );

  test('are each value of an axis, and each pair that some point has', () => {
    expect(conditionsOn(points).map(nameOf)).toEqual([
      'region=eu',
      'region=us',
      'operation=lookup',
      'operation=delete',
      'region=eu+operation=lookup',
      'region=eu+operation=delete',
      'region=us+operation=lookup',
      'region=us+operation=delete',
    ]);
  });

  test('that are met at the same points are one, and one that is met everywhere is none', () => {
    const names = conditionsOn(points.filter(({ region }) => region === 'eu')).map(nameOf);
    expect(names).toEqual(['operation=lookup', 'operation=delete']);
  });
});

describe('generated faults', () => {
  const ids = generatedFaults().map(({ id }) => id);

  test('are three thousand and more, each with an id of its own', () => {
    expect(ids.length).toBeGreaterThan(3000);
    expect(new Set(ids).size).toBe(ids.length);
    const value = '[a-z-]+=[A-Za-z0-9_-]+';
    const whole = new RegExp(`^generated/[A-Za-z-]+(\\.[a-z-]+)*(\\+${value}){1,2}$`);
    expect(ids.filter((id) => !whole.test(id))).toEqual([]);
  });

  test('say in one sentence what the gateway does', () => {
    expect(generatedFaults().filter(({ what }) => !/^[A-Z].*[^.:]\.$/.test(what))).toEqual([]);
  });

  test('break rows that count', () => {
    const counting = loadCatalogue().checks.filter(({ level }) => level !== 'MAY');
    for (const { id, breaks } of generatedFaults()) {
      expect(
        breaks.filter((name) => !counting.some((check) => covers([name], check.id))),
        id,
      ).toEqual([]);
      expect(breaks, id).not.toHaveLength(0);
    }
  });

  test('are found by their ids, and so is a decision that is wrong for three values only', () => {
    for (const fault of sampleOf(50, 1)) expect(generatedFault(fault.id).what).toBe(fault.what);
    expect(generatedFault('generated/isSameUser+region=us+operation=compact').breaks).toContain(
      'access/owners.indirect-access-denied',
    );
    expect(() => generatedFault('generated/isNobody+region=us')).toThrow('There is no decision');
    expect(() => generatedFault('generated/isStored+creation=background')).toThrow('is nowhere');
  });

  test('of a sample are drawn by the seed, and a larger one has what a smaller one has', () => {
    expect(sampleOf(20, 3)).toEqual(sampleOf(20, 3));
    expect(sampleOf(20, 3)).not.toEqual(sampleOf(20, 4));
    expect(sampleOf(40, 3)).toEqual(expect.arrayContaining([...sampleOf(20, 3)]));
    expect(sampleOf(1_000_000, 3)).toEqual(generatedFaults());
  });

  test.each(sampleOf(25, 1))('$id: the gateway starts and answers', async ({ override, id }) => {
    const gateway = await startReference({ defect: { id, what: '', override }, tokenMs: 0 });
    try {
      const url = `${gateway.regions[0]?.baseUrl}/v1/models`;
      expect((await get(url, bearer(gateway.keys.owner))).status).toBeLessThan(500);
    } finally {
      await gateway.close();
    }
  });
});

test('what became of the faults of a decision is kept, and read again', () => {
  const noticed = sampleOf(60, 1).map((fault, index) => ({
    fault,
    notice: (['right row', 'other row', 'unnoticed'] as const)[index % 3] ?? 'unnoticed',
    isMet: true,
    failed: [],
    open: [],
    errors: [],
    verdicts: new Map(),
  }));
  const rows = killRows(noticed);
  expect(killRecord.parse(killRecord.format(rows))).toEqual(rows);
  const sum = (of: (row: KillRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  expect(sum(({ faults }) => faults)).toBe(60);
  expect(sum(({ byRightRow }) => byRightRow)).toBe(20);
  expect(sum(({ byOtherRow }) => byOtherRow)).toBe(20);
  expect(() => killRecord.parse('isSameUser')).toThrow('no row');
});

describe('the proof', { timeout: 300_000 }, () => {
  test('every pair of features of a generation request is in some request of a run', async () => {
    const pairs = generatedFaults().filter(({ decision }) => decision === 'features.refused');
    expect(pairs.length).toBeGreaterThan(200);
    const { scenariosAt } = await reachedBy(1);
    const unmet = pairs.filter((fault) => scenariosAt(fault).length === 0);
    expect(unmet.map(({ id }) => id)).toEqual([]);
  });

  test('says which row noticed a fault: one that it breaks, or another', () => {
    const fault = generatedFault('generated/isSameUser+operation=lookup');
    const finding = { expected: 'a', actual: 'b', evidence: null };
    const judged = (id: string) =>
      noticing(
        fault,
        new Map([['input/requests.deep-nesting:responses', { state: 'warn', ...finding }]]),
        new Map([
          [id, { state: 'fail', ...finding }],
          ['input/requests.deep-nesting:responses', { state: 'warn', ...finding }],
        ]),
      ).notice;
    expect(judged('access/owners.other-user-denied:lookup')).toBe('right row');
    expect(judged('models/list.shape')).toBe('other row');
  });

  test('finds a fault that is planted where somebody looks, and one where nobody does', async () => {
    // A later turn follows a good one, which costs a generation, so that it is tried in few circumstances.
    const corner = 'generated/isSameUser+mode=later-turn+creation=background-stream';
    const looked = 'generated/isSameUser+operation=lookup';
    const chosen = [corner, looked].map(generatedFault);
    const noticed = await proveGenerated(chosen, { seed: 1 });
    expect(noticed.map(({ fault, notice, errors }) => [fault.id, notice, errors])).toEqual([
      [corner, 'unnoticed', []],
      [looked, 'right row', []],
    ]);
  });
});
