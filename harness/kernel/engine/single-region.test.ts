import { expect, test } from 'vitest';
import { run } from './run.ts';
import { reference } from './testing.ts';

test('of a gateway with a single region nothing is asked between regions, and the report says so', async () => {
  const { target } = await reference({ regions: ['eu'] });
  const judged = async (singleRegion: boolean) =>
    run({ target: { ...target, singleRegion }, seed: 1, filters: ['access/regions.'] });
  const single = await judged(true);
  expect(single.target.singleRegion).toBe(true);
  expect(single.counts.untestable).toBe(0);
  expect(single.counts['not-applicable']).toBe(
    single.checks.filter(({ id }) => id.startsWith('access/regions.')).length,
  );
  const silent = await judged(false);
  expect(silent.target).not.toHaveProperty('singleRegion');
  expect(silent.counts['not-applicable']).toBe(0);
  expect(silent.counts.untestable).toBe(single.counts['not-applicable']);
});
