import { expect, test } from 'vitest';
import { chance } from '../../kernel/drawn/index.ts';
import { operations } from '../../kernel/model/index.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { drawHistory } from './draw.ts';
import { type Act, actsOf, generationsOf, neededBy } from './history.ts';
import { worldOf } from './world.ts';

const { target, close } = await referenceTarget();
await close();
const world = worldOf(target);
const size = { acts: 48, generations: 8 };
const draw = (number: number, of = world) =>
  chance(1, `${number}`).random((faker) => drawHistory(faker, of, size));
/** About 2000 acts. */
const drawn = Array.from({ length: 40 }, (_, index) => draw(index));
const all = drawn.flatMap(actsOf);
const named = (act: Act): string => (act.kind === 'act' ? act.operation : act.kind);

/** Returns the turns before the one that an act asks for. */
function depthOf(act: Act, acts: readonly Act[]): number {
  const maker = acts.find(({ n }) => n === neededBy(act));
  return maker === undefined ? 0 : 1 + depthOf(maker, acts);
}

test('a history keeps its bounds, and is the same whenever it is drawn', () => {
  for (const [index, history] of drawn.entries()) {
    expect(history).toEqual(draw(index));
    expect(actsOf(history).filter(({ kind }) => kind !== 'ledger').length).toBe(size.acts);
    expect(generationsOf(history)).toBeLessThanOrEqual(size.generations);
  }
  expect(generationsOf(draw(0, { ...world, models: [], questions: [] }))).toBe(0);
  expect(worldOf({ ...target, withoutStorage: true }).models).toEqual([]);
  const lists = all.flatMap((act) => (act.kind === 'create' && act.items ? act.mode : []));
  expect(lists.filter((mode) => mode.startsWith('background'))).toEqual([]);
});

test('each operation is drawn, and most histories go on from, or ask for, a third turn', () => {
  expect([...new Set(all.map(named))]).toEqual(expect.arrayContaining([...operations]));
  const isDeep = (acts: readonly Act[]) => acts.some((act) => depthOf(act, acts) >= 3);
  expect(drawn.filter((history) => isDeep(actsOf(history))).length).toBeGreaterThan(
    drawn.length / 2,
  );
});

test('a deletion goes on beside each other operation and a creation, and creations beside each other', () => {
  const steps = drawn.flatMap((history) => history.steps.map((step) => step.map(named)));
  const beside = steps.filter((step) => step.length > 1 && step.includes('delete')).flat();
  const others = ['create', 'lookup', 'input-items', 'recover', 'continue', 'cancel'];
  expect(beside).toEqual(expect.arrayContaining(others));
  expect(steps.filter((step) => `${step}` === 'create,create').length).toBeGreaterThan(10);
});
