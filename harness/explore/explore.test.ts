import { expect, test } from 'vitest';
import { faults } from '../proof/faults/index.ts';
import { referenceTarget } from '../target/reference.ts';
import { explore } from './explore.ts';
import { actsOf } from './history.ts';

async function explored(
  fault: string | null,
  histories: number,
  { keys, seed = 1 }: { readonly keys?: readonly string[]; readonly seed?: number } = {},
) {
  const defect = faults.find(({ id }) => id === fault);
  const started = await referenceTarget(defect === undefined ? {} : { defect });
  const { close } = started;
  // What is not gone at once is not gone at all.
  const limits = { ...started.target.limits, consistencyMs: 50 };
  const given = Object.entries(started.target.keys).filter(
    ([name]) => keys?.includes(name) ?? true,
  );
  const target = { ...started.target, limits, keys: Object.fromEntries(given) };
  try {
    return await explore({
      ...{ target, seed, generations: 2_000, requests: 20_000, ms: 60_000, histories },
      signal: new AbortController().signal,
    });
  } finally {
    await close();
  }
}

test('a right gateway breaks nothing', { timeout: 60_000 }, async () => {
  const { finds, acts, unknown } = await explored(null, 8);
  expect(finds).toEqual([]);
  expect(unknown).toBe(0);
  expect(acts).toBeGreaterThan(100);
});

test('one key is enough', { timeout: 60_000 }, async () => {
  const { finds, acts } = await explored(null, 1, { keys: ['owner'] });
  expect(finds).toEqual([]);
  expect(acts).toBeGreaterThan(5);
});

test('a defect is found, and told by its shortest history', { timeout: 60_000 }, async () => {
  const { finds } = await explored('delete.stays-made-by-background', 5, { seed: 5 });
  expect(finds.length).toBeGreaterThan(0);
  for (const { history } of finds) expect(actsOf(history)).toHaveLength(3);
});
