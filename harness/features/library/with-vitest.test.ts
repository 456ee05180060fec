import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { type Script, startReference } from './mock.ts';

/** The code under test. */
async function weatherIn(city: string, client: OpenAI): Promise<string | null | undefined> {
  const model = 'my-model';
  const tools = [{ type: 'function' as const, function: { name: 'get_weather' } }];
  const asked = { role: 'user' as const, content: `What is the weather in ${city}?` };
  const first = await client.chat.completions.create({ model, messages: [asked], tools });
  const message = first.choices[0]?.message;
  if (message?.tool_calls === undefined) return message?.content;
  const results = message.tool_calls.map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: '21 degrees',
  }));
  const messages = [asked, message, ...results];
  const second = await client.chat.completions.create({ model, messages, tools });
  return second.choices[0]?.message.content;
}

const script: Script = {
  rules: [
    { when: { model: 'my-model', toolResult: true }, text: 'It is 21 degrees.' },
    { when: { says: 'weather' }, call: { name: 'get_weather', arguments: { city: 'Paris' } } },
  ],
};

test('hands the result of the call over', async () => {
  await using mock = await startReference({ script });
  const baseURL = `${mock.baseUrl}/v1`;
  const client = new OpenAI({ baseURL, apiKey: mock.keys.owner, maxRetries: 0 });
  expect(await weatherIn('Paris', client)).toBe('It is 21 degrees.');
  const [, second] = mock.requests({ protocol: 'chat-completions' });
  expect(second?.body?.messages).toContainEqual(
    expect.objectContaining({ role: 'tool', content: '21 degrees' }),
  );
});

test('says that the gateway is busy', async () => {
  await using mock = await startReference({ script, faults: ['status:429'] });
  const baseURL = `${mock.baseUrl}/v1`;
  const client = new OpenAI({ baseURL, apiKey: mock.keys.owner, maxRetries: 0 });
  await expect(weatherIn('Paris', client)).rejects.toThrow(OpenAI.RateLimitError);
});
