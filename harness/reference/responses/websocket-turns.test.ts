import { expect, test } from 'vitest';
import type { Defect } from '../seams.ts';
import { at, reference } from './testing.ts';
import { open, turn } from './testing-socket.ts';

test('turns that do not wait are refused, or run into one another, where the policy says so', async () => {
  const long = { ...turn, input: 'Write 40 words.', max_output_tokens: 100 };
  for (const way of ['refuse', 'interleave'] as const) {
    const defect: Defect = {
      id: `websocket.${way}`,
      what: 'A second turn does not wait.',
      override: () => ({ policy: { whileBusy: () => way } }),
    };
    await using gateway = await reference({ defect });
    await using conversation = await open(gateway);
    conversation.say(long);
    expect((await conversation.next()).type).toBe('response.created');
    conversation.say(long);
    const frames = await conversation.turn();
    const begun = frames.filter(({ type }) => type === 'response.created');
    expect(begun.length).toBe(way === 'interleave' ? 1 : 0);
    expect(frames.at(-1)?.type).toBe(way === 'refuse' ? 'error' : 'response.completed');
    expect((await conversation.turn()).at(-1)?.type).toBe('response.completed');
    expect((await conversation.exchange(turn)).type).toBe('response.completed');
  }
});

test('named streams run beside one another, and say which is which', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const long = { ...turn, input: 'Write 300 words.', max_output_tokens: 400 };
  conversation.say({ ...long, stream_id: 'slow' });
  expect(await conversation.next()).toMatchObject({ type: 'response.created', stream_id: 'slow' });
  conversation.say({ ...turn, stream_id: 'fast' });
  const frames = await conversation.turn();
  expect(frames.at(-1)).toMatchObject({ type: 'response.completed', stream_id: 'fast' });
  expect((await conversation.turn()).at(-1)).toMatchObject({ stream_id: 'slow' });
  expect(await conversation.exchange({ ...turn, stream_id: 'not good' })).toMatchObject({
    type: 'error',
  });
});

test('warms up without generating', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const warm = await conversation.exchange({ ...turn, generate: false });
  expect(warm).toMatchObject({ type: 'response.completed', response: { output: [] } });
  const next = { ...turn, previous_response_id: String(at(warm, 'response.id')) };
  expect((await conversation.exchange(next)).type).toBe('response.completed');
});
