import { expect, onTestFinished, test } from 'vitest';
import { decide } from '../../proof/decisions.ts';
import type { Defect } from '../../reference/index.ts';
import { referenceTarget } from '../targets/reference.ts';
import { run } from './run.ts';

/** Returns the homes that these seeds draw at the reference gateway. */
async function homesOf(seeds: readonly number[], defect?: Defect): Promise<string[]> {
  const { target, close } = await referenceTarget(defect === undefined ? {} : { defect });
  onTestFinished(close);
  const filters = ['models/list'];
  const results = await Promise.all(seeds.map((seed) => run({ target, seed, filters })));
  for (const { counts } of results) expect(counts.pass).toBeGreaterThan(0);
  return results.map(({ target: { regions } }) => regions[0]?.name ?? '');
}

test('each region is the home of a run whose seed draws it', async () => {
  expect(await homesOf([1, 2, 3, 4])).toEqual(['eu', 'us', 'eu', 'us']);
});

test('a region that lacks a model is never the home', async () => {
  const defect: Defect = {
    id: 'regions.fewer-models',
    what: 'The second region has fewer models.',
    regions: ['us'],
    override: decide('listedModels', (native) => (key, call) => native(key, call).slice(1)),
  };
  expect(await homesOf([2], defect)).toEqual(['eu']);
});
