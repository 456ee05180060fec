import { expect, test } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { Purse } from './purse.ts';

const [one, other] = [{}, {}] as Scenario[] as [Scenario, Scenario];

test('what is refused is given back, and a request waits for it', async () => {
  const traffic = { generations: 0 };
  const purse = new Purse(2, traffic);
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => purse.payment(one, false));
  expect([await first?.take(), await second?.take()]).toEqual([true, true]);
  const waiting = [third?.take(), fourth?.take()];
  first?.end();
  expect(await waiting[0]).toBe(true);
  traffic.generations++;
  second?.end();
  traffic.generations++;
  third?.end();
  expect(await waiting[1]).toBe(false);
});

test('scenarios that wait for each other’s connections do not wait for ever', async () => {
  const purse = new Purse(2, { generations: 0 });
  const sockets = [purse.payment(one, true), purse.payment(other, true)];
  for (const socket of sockets) await socket.take();
  const waiting = sockets[0]?.take();
  expect(await sockets[1]?.take()).toBe(false);
  sockets[1]?.end();
  expect(await waiting).toBe(true);
  for (const _ of [1, 2, 3]) sockets[0]?.refused();
  expect(sockets[0]?.taken).toBe(0);
});
