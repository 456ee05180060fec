import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { startReference } from './start.ts';
import { bearer, post } from './testing-requests.ts';

const gateway = await startReference({ regions: ['eu'] });
afterAll(() => gateway.close());

const long = 'harbour '.repeat(1500);

async function usageOf(path: string, body: JsonObject, headers: Record<string, string>) {
  const { status, json } = await post(`${gateway.regions[0]?.baseUrl}${path}`, headers, body);
  expect(status).toBe(200);
  return Object(json).usage ?? Object(json).usageMetadata;
}

test('a prefix that a user repeats is counted as cached', async () => {
  const { owner, otherUser } = gateway.keys;
  const messages = [{ role: 'user', content: long }];
  const ask = (more: readonly JsonObject[], key = owner) =>
    usageOf(
      '/v1/chat/completions',
      { model: 'ts-omni', messages: [...messages, ...more] },
      bearer(key),
    );
  const first = await ask([]);
  expect(first.prompt_tokens_details.cached_tokens).toBe(0);
  const again = (await ask([])).prompt_tokens_details.cached_tokens;
  expect(again).toBeGreaterThanOrEqual(1024);
  expect(again).toBeLessThanOrEqual(first.prompt_tokens);
  const further = await ask([{ role: 'user', content: 'And the boats?' }]);
  expect(further.prompt_tokens_details.cached_tokens).toBe(again);
  expect((await ask([], otherUser)).prompt_tokens_details.cached_tokens).toBe(0);
});

test('on every protocol', async () => {
  const { owner } = gateway.keys;
  const input = `${long} again`;
  const twice = async (path: string, body: JsonObject, headers: Record<string, string>) => {
    await usageOf(path, body, headers);
    return usageOf(path, body, headers);
  };
  const responses = await twice('/v1/responses', { model: 'ts-omni', input }, bearer(owner));
  expect(responses.input_tokens_details.cached_tokens).toBeGreaterThan(1000);
  const generative = await twice(
    '/v1beta/models/ts-omni:generateContent',
    { contents: [{ parts: [{ text: `${input} here` }] }] },
    { 'x-vendorB-api-key': owner },
  );
  expect(generative.cachedContentTokenCount).toBeGreaterThan(1000);
});

test('Messages remembers what the request marks, and counts it beside the input', async () => {
  const headers = { 'x-api-key': gateway.keys.owner, 'vendorA-version': '2023-06-01' };
  const ask = (mark: JsonObject) =>
    usageOf(
      '/v1/messages',
      {
        model: 'ts-omni',
        max_tokens: 20,
        system: [{ type: 'text', text: long, ...mark }],
        messages: [{ role: 'user', content: 'Say something.' }],
      },
      headers,
    );
  const plain = await ask({});
  expect(plain).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
  const mark = { cache_control: { type: 'ephemeral' } };
  const sum = (usage: Record<string, number>) =>
    Number(usage.input_tokens) +
    Number(usage.cache_creation_input_tokens) +
    Number(usage.cache_read_input_tokens);
  const written = await ask(mark);
  expect(written.cache_creation_input_tokens).toBeGreaterThan(1000);
  const read = await ask(mark);
  expect(read.cache_read_input_tokens).toBeGreaterThan(1000);
  expect([sum(written), sum(read)]).toEqual([plain.input_tokens, plain.input_tokens]);
});
