import { describe, expect, test } from 'vitest';
import { addUp, type PlannedCheck, type PlannedScenario } from '../../engine/plan.ts';
import { affordable, type NoticedBy } from './affordable.ts';

function sends(name: string, generations: number): PlannedScenario {
  const expected = { expectedRequests: 1, expectedGenerations: generations };
  const none = { outputTokens: 0, waitingRequests: 0 };
  return { name, requests: 1, generations, ...expected, ...none, chain: 1, obstacle: null };
}

function checkOn(id: string, ...scenarios: PlannedScenario[]): PlannedCheck {
  return { id, level: 'MUST', judgedOn: scenarios.slice(0, 1).map(({ name }) => name), scenarios };
}

const noticing = (faults: Readonly<Record<string, string>>): NoticedBy =>
  new Map(Object.entries(faults).map(([check, names]) => [check, new Set(names)]));

const idsOf = ({ checks }: { checks: readonly PlannedCheck[] }) => checks.map(({ id }) => id);

describe('a budget', () => {
  const base = sends('base', 2);
  const plan = addUp([
    checkOn('a/free.one', sends('free', 0)),
    checkOn('a/one.one', sends('one', 1), base),
    checkOn('a/two.one', sends('two', 1), base),
    checkOn('a/dear.one', sends('dear', 4)),
    checkOn('a/blind.one', sends('blind', 1)),
  ]);
  const by = noticing({
    'a/free.one': 'f',
    'a/one.one': 'abc',
    'a/two.one': 'cd',
    'a/dear.one': 'abcd',
  });

  test('takes what costs nothing, and what notices most for each generation', () => {
    expect(idsOf(affordable(plan, { of: 'generations', most: 0 }, by))).toEqual(['a/free.one']);
    const three = affordable(plan, { of: 'generations', most: 3 }, by);
    expect(idsOf(three)).toEqual(['a/free.one', 'a/one.one']);
    expect(three).toMatchObject({ generations: 3, noticed: 4 });
  });

  test('pays a scenario once, and spends what is left on checks that notice nothing further', () => {
    const four = affordable(plan, { of: 'generations', most: 4 }, by);
    expect(idsOf(four)).toEqual(['a/free.one', 'a/one.one', 'a/two.one']);
    expect(four).toMatchObject({ generations: 4, noticed: 5 });
    expect(idsOf(affordable(plan, { of: 'generations', most: 5 }, by))).toContain('a/blind.one');
    expect(affordable(plan, { of: 'generations', most: 100 }, by).checks).toHaveLength(5);
  });

  test('pays first for scenarios that are to be run in any case, as far as it goes', () => {
    const held = affordable(plan, { of: 'generations', most: 4 }, by, ['dear', 'blind']);
    expect(held).toMatchObject({ besides: ['dear'], generations: 4 });
    expect(idsOf(held)).toEqual(['a/free.one', 'a/dear.one']);
    expect(affordable(plan, { of: 'generations', most: 3 }, by, ['dear']).besides).toEqual([]);
  });

  test('may go by turns, so that each group has its part', () => {
    const turns = ['a/dear', 'a/blind'].map(
      (start) =>
        ({ id }: { readonly id: string }) =>
          id.startsWith(start),
    );
    const cut = affordable(plan, { of: 'generations', most: 5 }, by, [], turns);
    expect(idsOf(cut)).toEqual(['a/free.one', 'a/dear.one', 'a/blind.one']);
  });

  test('is never exceeded, whatever hangs together', () => {
    const shared = Array.from({ length: 6 }, (_, index) =>
      sends(`shared-${index}`, 1 + (index % 3)),
    );
    const whole = addUp(
      Array.from({ length: 60 }, (_, index) =>
        checkOn(
          `a/${index}.one`,
          sends(`own-${index}`, index % 5),
          ...shared.filter((_one, nth) => (index >> nth) % 2 === 1),
        ),
      ),
    );
    const faults = noticing(
      Object.fromEntries(whole.checks.map(({ id }, index) => [id, `${index % 7}${index % 11}`])),
    );
    let before = 0;
    for (let most = 0; most <= whole.generations; most++) {
      const cut = affordable(whole, { of: 'generations', most }, faults);
      expect(cut.generations).toBeLessThanOrEqual(most);
      expect(addUp(cut.checks).generations).toBe(cut.generations);
      expect(cut.checks.length).toBeGreaterThan(0);
      before = Math.max(before, cut.checks.length);
    }
    expect(before).toBe(60);
  });
});
