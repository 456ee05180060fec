import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Room } from './admission.ts';

test('so many are let in at once, the others in the order in which they came', async () => {
  const room = new Room(2);
  let came = 0;
  const busy = (): number => came++;
  const inside: string[] = [];
  const enter = async (name: string): Promise<() => void> => {
    const leave = await room.enter(busy);
    inside.push(name);
    return leave;
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter);
  const leaveA = await a;
  await b;
  await delay(1_500);
  expect(inside).toEqual(['a', 'b']);
  leaveA?.();
  const leaveC = await c;
  expect(inside).toEqual(['a', 'b', 'c']);
  leaveC?.();
  await d;
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('who only waits makes room, and takes it again when something comes', async () => {
  const room = new Room(1);
  let came = 0;
  await room.enter(() => came);
  const inside: string[] = [];
  const second = room.enter(() => came).then(() => inside.push('second'));
  expect(inside).toEqual([]);
  await second;

  const third = room.enter(() => 0).then(() => inside.push('third'));
  const coming = setInterval(() => came++, 50);
  await delay(1_500);
  expect(inside).toEqual(['second']);
  clearInterval(coming);
  await third;
  expect(inside).toEqual(['second', 'third']);
});

test('of those who wait there may be only so many', async () => {
  const room = new Room(1);
  const inside: (() => void)[] = [];
  const entering = Array.from({ length: 6 }, async () => {
    inside.push(await room.enter(() => 0));
  });
  await expect.poll(() => inside.length).toBe(5);
  await delay(1_500);
  expect(inside).toHaveLength(5);
  inside[0]?.();
  await Promise.all(entering);
});
