import { describe, expect, test } from 'vitest';
import { faults } from './faults/index.ts';
import { allVariants, judgeVariants, toleratedWell } from './judge-variants.ts';
import { prove } from './prove.ts';

/** Every so many of all, and so some of each kind: neighbours are alike. */
function sampleOf<T>(all: readonly T[], every: number): T[] {
  return all.filter((_, index) => index % every === every - 1);
}

/** A few of each kind: that the proofs work. `npm run prove` judges all; it is a job of its own. */
describe('of a sample', { timeout: 180_000 }, () => {
  test('every fault is killed, one in every fourth area, and nothing else fails but what is recorded', async () => {
    const areaOf = (id = ''): string => id.replace(/\..*/, '');
    // A gateway that ends or locks breaks whatever is in flight, which differs by run: `npm run prove` judges those.
    const lasting = faults.filter(({ id }) => !/-(ends|locks)$/.test(id));
    const ofAreas = [...new Map(lasting.map((one) => [areaOf(one.breaks[0]), one])).values()];
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
});
