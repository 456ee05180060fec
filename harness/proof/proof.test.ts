import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../kernel/core/catalogue.ts';
import { determinism, isDeterministic } from './determinism.ts';
import { faults } from './faults/index.ts';
import { judgeNullTargets } from './judge-null-targets.ts';
import { allVariants, judgeVariants } from './judge-variants.ts';
import { breaksNothing, judgeMutations } from './mutations.ts';
import { earnedNothing, toleratedWell } from './print.ts';
import { prove } from './prove.ts';
import { blamesNobody, judgeTransients } from './transients.ts';

/** Every so many of all, and so some of each kind: neighbours are alike. */
function sampleOf<T>(all: readonly T[], every: number): T[] {
  return all.filter((_, index) => index % every === every - 1);
}

/** A few of each kind: that the proofs work. `npm run prove` judges all; it is a job of its own. */
describe('of a sample', { timeout: 180_000 }, () => {
  test('every fault is killed, one in every fourth area, and nothing else fails but what is recorded', async () => {
    const areaOf = (id = ''): string => id.replace(/\..*/, '');
    const ofAreas = [...new Map(faults.map((one) => [areaOf(one.breaks[0]), one])).values()];
    const sample = sampleOf(ofAreas, 4);
    expect(sample.length).toBeGreaterThan(8);
    const { matrix } = await prove(sample, { seed: 1 });
    const wrong = matrix.filter(
      ({ survived, unexpected }) => survived.length + unexpected.length > 0,
    );
    expect(wrong).toEqual([]);
    expect(matrix).toHaveLength(sample.length);
  });

  test('no legal variant is blamed', async () => {
    const sample = sampleOf(allVariants, 150);
    const tolerations = await judgeVariants(sample, { seed: 1 });
    expect(tolerations.filter((one) => !toleratedWell(one))).toEqual([]);
    expect(tolerations).toHaveLength(sample.length);
  });

  test('no server that is no gateway earns a MUST', async () => {
    // The one that asks most of the suite, and one that asks least.
    const earned = await judgeNullTargets({ seed: 1 }, ['good-response-or-none', 'unauthorized']);
    expect(earned).toHaveLength(2);
    expect(earned.filter((one) => !earnedNothing(one))).toEqual([]);
  });

  test('no transient failure of an answer is blamed on the gateway', async () => {
    const suite = loadCatalogue().checks.filter(({ id }) => id.startsWith('models/'));
    const tried = await judgeTransients({ seed: 1, selected: suite.map(({ id }) => id) });
    expect(tried.blamed).toEqual([]);
    expect(blamesNobody(tried)).toBe(true);
  });

  test('no answer breaks a judgement, whatever stands in it', async () => {
    const some = /^(models|everywhere\/native)/;
    const suite = loadCatalogue().checks.filter(({ id }) => some.test(id));
    const tried = await judgeMutations({ seed: 1, rounds: 3, selected: suite.map(({ id }) => id) });
    expect(tried.broken).toEqual([]);
    expect(breaksNothing(tried)).toBe(true);
  });

  test('no order, chance or pace changes a verdict, nor hides a fault', async () => {
    const judged = await determinism(
      { seed: 1 },
      { sound: [], faults: new Set(['websocket.interleaves']) },
    );
    expect(judged.filter((one) => !isDeterministic(one))).toEqual([]);
    expect(judged).toHaveLength(2);
  });
});
