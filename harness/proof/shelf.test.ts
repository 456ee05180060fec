import { expect, test } from 'vitest';
import { Choosing } from '../reference/mock/choosing.ts';
import { defaultSeams } from '../reference/seams.ts';
import { shelf } from './shelf.ts';

test('finds faults and variants, each under its own kind', async () => {
  const id = 'recover.background-only';
  const [fault, variant] = await Promise.all([
    shelf.find({ kind: 'fault', id }),
    shelf.find({ kind: 'variant', id }),
  ]);
  expect(fault?.what).not.toBe(variant?.what);
  expect(await shelf.find({ kind: 'fault', id: 'framing.crlf' })).toBeUndefined();
  expect(await shelf.list()).toContainEqual({ kind: 'fault', id, what: fault?.what });
});

test('says what may have been meant', async () => {
  const hint = (id: string) => shelf.hint({ kind: 'fault', id });
  expect(await hint('chat-completions-stream.no-don')).toContain(
    '`chat-completions-stream.no-done`',
  );
  expect(await hint('framing.crlf')).toBe(' There is a variant of this name.');
  expect(await hint('websocket.zzzzzzzzzzzzzzzzzzzzzzz')).toContain('`websocket.turn-refused`');
  expect(await hint('q')).toMatch(/^ GET .* list all\.$/);
});

test('every one of them can be laid over a request', async () => {
  const choosing = new Choosing(defaultSeams, { shelf });
  for (const named of await shelf.list()) {
    const { ids, seams } = await choosing.choose([named], named.regions?.[0] ?? 'us');
    expect(ids).toEqual([named.id]);
    expect(seams).not.toBe(defaultSeams);
  }
});
