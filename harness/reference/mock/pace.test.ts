import { expect, test } from 'vitest';
import { ask, reference, send } from '../responses/testing.ts';
import { Pacer } from './pace.ts';

const take = (wait: (() => number) | null, count: number): number[] =>
  Array.from({ length: count }, () => Math.round(wait?.() ?? Number.NaN));

test('a wait before the first token, and between all others', () => {
  const pacer = new Pacer({ firstTokenMs: 300, tokensPerSecond: 50 });
  expect(take(pacer.waits(null, 4), 3)).toEqual([300, 20, 20]);
  expect(take(pacer.waits({ tokensPerSecond: 10 }, 4), 3)).toEqual([300, 100, 100]);
  expect(take(new Pacer({ firstTokenMs: 300 }).waits(null, 4), 3)).toEqual([300, 4, 4]);
  expect(new Pacer(null).waits(null, 4)).toBeNull();
  expect(take(new Pacer(null).waits({ firstTokenMs: 7 }, 0), 2)).toEqual([7, 0]);
});

test('jitter is drawn by the seed, anew for each answer', () => {
  const drawn = (seed: number): number[][] => {
    const pacer = new Pacer({ tokensPerSecond: 10, jitter: 0.5, seed });
    return [take(pacer.waits(null, 0), 50), take(pacer.waits(null, 0), 50)];
  };
  const [first = [], second = []] = drawn(1);
  expect(Math.min(...first)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...first)).toBeLessThanOrEqual(150);
  expect(new Set(first).size).toBeGreaterThan(20);
  expect(second).not.toEqual(first);
  expect(drawn(1)).toEqual([first, second]);
  expect(drawn(2)[0]).not.toEqual(first);
});

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64 };

test('a stream begins at once and its text comes later; one body comes when all of it is written', async () => {
  // The first token takes longer than the test.
  await using gateway = await reference({ pace: { firstTokenMs: 600_000 } });
  const stream = await send(gateway, 'POST', path, { ...good, stream: true });
  const reader = stream.body?.getReader();
  const begun = Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(begun).toContain('response.created');
  expect(begun).not.toContain('output_text.delta');
  await reader?.cancel();
  const body = send(gateway, 'POST', path, good).then(() => 'answered');
  const list = ask(gateway, 'GET', '/v1/models').then(() => 'only the list');
  expect(await Promise.race([body, list])).toBe('only the list');
  await gateway.close();
  await body.catch(() => undefined);
});

test('a rule says it for its answer alone', async () => {
  await using gateway = await reference({
    script: {
      rules: [{ when: { says: 'slow' }, text: 'Slow.', pace: { firstTokenMs: 600_000 } }],
      otherwise: { text: 'Fast.' },
    },
  });
  const slow = send(gateway, 'POST', path, { ...good, input: 'slow' }).then(() => 'slow');
  const fast = ask(gateway, 'POST', path, good).then(() => 'fast');
  expect(await Promise.race([slow, fast])).toBe('fast');
  await gateway.close();
  await slow.catch(() => undefined);
});

test('on a busy machine a run slows down, so that it is still met while it runs', async () => {
  await using gateway = await reference();
  const long = { ...good, max_output_tokens: 256, store: true, background: true };
  const { body } = await ask(gateway, 'POST', path, long);
  const busyUntil = performance.now() + 1_500;
  while (performance.now() < busyUntil);
  const { body: seen } = await ask(gateway, 'GET', `${path}/${body.id}`);
  expect(seen.status).toBe('in_progress');
});
