import { expect, test } from 'vitest';
import { explore } from '../../features/explore/explore.ts';
import { startRestarting } from './restarting.ts';
import { type Started, startTwoNodes } from './two-nodes.ts';

async function explored({ target, close }: Started, histories: number) {
  try {
    const bounds = { generations: 10_000, requests: 100_000, ms: 60_000, histories };
    const { signal } = new AbortController();
    return await explore({ target, seed: 1, ...bounds, signal });
  } finally {
    await close();
  }
}

test('of two nodes with one database nothing is found', async () => {
  const { acts, unknown, finds } = await explored(await startTwoNodes([undefined, undefined]), 3);
  expect([finds, unknown]).toEqual([[], 0]);
  expect(acts).toBeGreaterThan(20);
});

// A draining gateway waits at most one second for open sockets, and then cuts them.
test.each([
  ['drained', 25],
  ['killed', 40],
  ['gone', 60],
] as const)('of a gateway that is restarted (%s) nothing is found', async (how, every) => {
  const gateway = await startRestarting({ every, how });
  const { finds } = await explored(gateway, 4);
  expect(finds).toEqual([]);
  expect(gateway.restarts).toBeGreaterThan(0);
});
