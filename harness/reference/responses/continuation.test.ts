import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { ask, at, reference } from './testing.ts';

const path = '/v1/responses';
const body = { model: 'ts-omni', input: 'Once more.', max_output_tokens: 64, store: true };

test('a chain carries its context', async () => {
  await using gateway = await reference();
  let previous: JsonObject = {};
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const more = previous.id === undefined ? {} : { previous_response_id: previous.id };
    const answer = await ask(gateway, 'POST', path, { ...body, ...more });
    expect(answer.status).toBe(200);
    expect(answer.body.previous_response_id).toBe(previous.id ?? null);
    counts.push(Number(at(answer.body, 'usage.input_tokens')));
    previous = answer.body;
  }
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(new Set(counts).size).toBe(3);
});

test('the instructions of an earlier turn are not carried over', async () => {
  await using gateway = await reference();
  const chain = async (instructions: string) => {
    const first = await ask(gateway, 'POST', path, { ...body, instructions });
    const next = { ...body, previous_response_id: first.body.id };
    const second = await ask(gateway, 'POST', path, next);
    const output = Number(at(first.body, 'usage.output_tokens'));
    return Number(at(second.body, 'usage.input_tokens')) - output;
  };
  expect(await chain('Short.')).toBe(
    await chain('Very long instructions, with many words in them.'),
  );
});

test('a response that still runs is continued when it has ended', async () => {
  await using gateway = await reference();
  const first = await ask(gateway, 'POST', path, { ...body, background: true });
  const second = await ask(gateway, 'POST', path, { ...body, previous_response_id: first.body.id });
  expect(second.status).toBe(200);
  const ended = await ask(gateway, 'GET', `${path}/${first.body.id}`);
  expect(ended.body.status).toBe('completed');
});

test('a continuation may add no input of its own', async () => {
  await using gateway = await reference();
  const first = await ask(gateway, 'POST', path, body);
  const { input: _input, ...rest } = body;
  const second = await ask(gateway, 'POST', path, { ...rest, previous_response_id: first.body.id });
  expect(second.status).toBe(200);
});

test('an item of a stored response can be referred to by its id, by its user', async () => {
  await using gateway = await reference();
  const first = await ask(gateway, 'POST', path, { ...body, store: true });
  const referred = { type: 'item_reference', id: at(first.body, 'output.0.id') ?? '' };
  const input = [referred, { role: 'user', content: 'And then?' }];
  const own = await ask(gateway, 'POST', path, { ...body, input });
  expect(own.status).toBe(200);
  const alone = await ask(gateway, 'POST', path, { ...body, input: input.slice(1) });
  const tokens = (answer: JsonObject) => Number(at(answer, 'usage.input_tokens'));
  expect(tokens(own.body)).toBeGreaterThan(tokens(alone.body));
  const others = await ask(gateway, 'POST', path, { ...body, input }, { key: 'otherUser' });
  const none = { ...body, input: [{ type: 'item_reference', id: 'msg_none' }] };
  const unknown = await ask(gateway, 'POST', path, none);
  expect([others.status, unknown.status]).toEqual([400, 400]);
});
