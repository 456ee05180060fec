import { expect, test } from 'vitest';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { faults } from '../../proof/faults/index.ts';
import { type ExploreOptions, explore } from './explore.ts';
import type { Performed } from './finds.ts';
import { actsOf } from './history.ts';

async function explored(
  fault: string | null,
  histories: number,
  { keys, seed = 1 }: { readonly keys?: readonly string[]; readonly seed?: number } = {},
) {
  const defect = faults.find(({ id }) => id === fault);
  const started = await referenceTarget(defect === undefined ? {} : { defect });
  const { close } = started;
  // A response that is not gone at once is never gone.
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

test('a right gateway breaks nothing, and one key is enough', { timeout: 60_000 }, async () => {
  for (const how of [{}, { keys: ['owner'] }]) {
    const { finds, acts, unknown } = await explored(null, 3, how);
    expect({ finds, unknown }).toEqual({ finds: [], unknown: 0 });
    expect(acts).toBeGreaterThan(30);
  }
});

/** Explores a right gateway. Returns the result, the number of requests it received, and the drawn histories. */
async function exploredWith(options: Partial<ExploreOptions>) {
  const { target, requestCount, close } = await referenceTarget();
  const drawn: Performed[] = [];
  try {
    const came = await explore({
      ...{ target, seed: 3, generations: 1_000, requests: 10_000, ms: 60_000 },
      signal: new AbortController().signal,
      onPerformed: (performed) => drawn.push(performed),
      ...options,
    });
    const steps = drawn.map(({ number, history }) => ({ number, steps: history.steps }));
    return { came, seen: requestCount(), steps };
  } finally {
    await close();
  }
}

test('the histories are the same however many go on at once', { timeout: 60_000 }, async () => {
  const [one, four] = [
    await exploredWith({ histories: 4, atOnce: 1 }),
    await exploredWith({ histories: 4, atOnce: 4 }),
  ];
  expect(four.steps).toEqual(one.steps);
  expect(four.steps.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect([one.came.unknown, four.came.unknown]).toEqual([0, 0]);
});

test('no bound is passed, however many go on at once', { timeout: 60_000 }, async () => {
  const few = await exploredWith({ atOnce: 4, requests: 90 });
  expect(few.seen).toBe(few.came.requests);
  expect(few.seen).toBeLessThanOrEqual(90);
  const cheap = await exploredWith({ atOnce: 4, generations: 10 });
  // A tenth of the generations is reserved for shortening finds, and there are none.
  expect(cheap.came.generations).toBe(9);
  expect(cheap.came.acts).toBeGreaterThan(5);
});

test('an interruption ends it with what came so far', { timeout: 60_000 }, async () => {
  const interrupted = new AbortController();
  const { came } = await exploredWith({
    atOnce: 4,
    signal: interrupted.signal,
    onPerformed: () => interrupted.abort(),
  });
  expect(came.finds).toEqual([]);
  expect(came.histories).toBeGreaterThan(0);
  // Histories in flight have ended, and no other was begun.
  expect(came.requests).toBeLessThan(500);
});

test('a defect is found, and told by its shortest history', { timeout: 60_000 }, async () => {
  const { finds } = await explored('delete.stays-made-by-background', 6, { seed: 5 });
  expect(Math.min(...finds.map(({ history }) => actsOf(history).length))).toBe(3);
});
