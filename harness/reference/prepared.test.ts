import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { Written } from './prepared.ts';
import type { Defect } from './seams.ts';
import { startReference } from './start.ts';
import { get, post } from './testing-requests.ts';

const weather = { type: 'object', properties: { city: { type: 'string' } } };
const asking = [{ role: 'user', content: 'What is the weather in "Łódź" and in Rome?' }];
const functionTool = { name: 'get_weather', description: '', parameters: weather };

const responses = [
  { input: 'Say "something" of Łódź.\n' },
  { input: 'Think.', reasoning: { summary: 'auto' }, metadata: { a: '"' }, temperature: 0.5 },
  { input: asking, tools: [{ type: 'function', ...functionTool }], instructions: 'Be "short".' },
  { input: 'Write 40 words.', max_output_tokens: 16, user: null },
  { input: 'Tell.', include: ['message.output_text.logprobs'], top_logprobs: 2, store: false },
  { input: 'Later.', background: true },
];

const streams: readonly (readonly [string, object])[] = [
  ...responses.map((body) => ['/v1/responses', body] as const),
  ['/v1/chat/completions', { messages: asking }],
  ['/v1/chat/completions', { messages: asking, logprobs: true, n: 2 }],
  [
    '/v1/chat/completions',
    { messages: asking, tools: [{ type: 'function', function: functionTool }] },
  ],
  ['/v1/messages', { messages: asking, max_tokens: 200 }],
  ['/v1/messages', { messages: asking, max_tokens: 2000, thinking: { type: 'adaptive' } }],
  [
    '/v1/messages',
    {
      messages: asking,
      max_tokens: 200,
      tools: [{ name: 'get_weather', description: '', input_schema: weather }],
    },
  ],
];

test('an event that is written without its data says what they say', async () => {
  const differing: string[] = [];
  let events = 0;
  const defect: Defect = {
    id: 'compared',
    what: 'Nothing: every event is written twice.',
    override: ({ frames }) => ({
      frames: {
        serialize(event, context) {
          const { name, data } = event;
          const written = frames.serialize(event, context);
          if (written !== frames.serialize({ name, data }, context)) differing.push(written);
          events++;
          return written;
        },
      },
    }),
  };
  const gateway = await startReference({ defect });
  const url = gateway.regions[0]?.baseUrl ?? '';
  const headers = headersOf(gateway.keys.owner);
  for (const [path, body] of streams) {
    const model = { model: 'ts-omni', stream: true };
    expect((await post(url + path, headers, { ...model, ...body })).status).toBe(200);
  }
  await gateway.close();
  expect(differing).toEqual([]);
  expect(events).toBeGreaterThan(100);
});

test('a response that is written without being made says what it says', async () => {
  const database = new Database();
  const making: Defect = {
    id: 'made',
    what: 'Nothing: every response is made before it is written.',
    override: () => ({ encode: { body: (_kind, body) => ({ ...body }) } }),
  };
  const usual = await startReference({ database });
  const made = await startReference({ database, defect: making });
  const headers = headersOf(usual.keys.owner);
  const path = `${usual.regions[0]?.baseUrl}/v1/responses`;
  for (const { store = true, ...body } of responses) {
    const { json } = await post(path, headers, { model: 'ts-omni', store, ...body });
    if (!store) continue;
    const { id } = Object(json);
    await expect
      .poll(async () => Object((await get(`${path}/${id}`, headers)).json).status)
      .toMatch(/^(completed|incomplete)$/);
    const other = `${made.regions[0]?.baseUrl}/v1/responses/${id}`;
    expect((await get(`${path}/${id}`, headers)).text).toBe((await get(other, headers)).text);
  }
  await usual.close();
  await made.close();
});

test('what is written without being made is the same JSON for those who do not know', () => {
  const data = { id: 'resp_1', output: [] };
  const written = new Written(
    () => data,
    () => JSON.stringify(data),
  );
  expect(JSON.parse(JSON.stringify({ written }))).toEqual({ written: data });
});

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'x-api-key': key, 'vendora-version': '2023-06-01' };
}
