import { afterAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from './json.ts';
import { startReference } from './start.ts';
import { bearer, post, type Received } from './testing-requests.ts';

const gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
afterAll(() => gateway.close());

const plain = 'Say something.';
const answer = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'blue'] }, number: { type: 'integer' } },
  required: ['colour', 'number'],
  additionalProperties: false,
};

type Send = (text: string, members: JsonObject, model?: string) => Promise<Received>;

function at(path: string, body: JsonObject, headers: Record<string, string>): Promise<Received> {
  return post(`${gateway.regions[0]?.baseUrl}${path}`, headers, body);
}

function openai(path: string, named: (text: string) => JsonObject): Send {
  return (text, members, model = 'ts-omni') =>
    at(path, { model, ...named(text), ...members }, bearer(gateway.keys.owner));
}

const responses = openai('/v1/responses', (text) => ({ input: text }));
const chat = openai('/v1/chat/completions', (text) => ({
  messages: [{ role: 'user', content: text }],
}));
const messages: Send = (text, members, model = 'ts-omni') =>
  at(
    '/v1/messages',
    { model, max_tokens: 64, messages: [{ role: 'user', content: text }], ...members },
    { 'x-api-key': gateway.keys.owner, 'vendorA-version': '2023-06-01' },
  );
const google: Send = (text, members, model = 'ts-omni') =>
  at(
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text }] }], ...members },
    { 'x-vendorb-api-key': gateway.keys.owner },
  );

describe('refuses a schema', () => {
  const format = { type: 'json_schema', name: 'answer', schema: answer, strict: true };
  const cases: [string, Send, JsonObject][] = [
    ['Responses', responses, { text: { format } }],
    ['Chat Completions', chat, { response_format: { type: 'json_schema', json_schema: format } }],
    ['Messages', messages, { output_config: { format: { type: 'json_schema', schema: answer } } }],
    [
      'generative-content',
      google,
      { generationConfig: { responseMimeType: 'application/json', responseSchema: answer } },
    ],
  ];

  test.each(cases)('with a keyword that it does not know, on %s', async (...given) => {
    const [, send, members] = given;
    const pattern = { type: 'string', pattern: '^a' };
    const other = JSON.parse(
      JSON.stringify(members, (name, value: Json) => (name === 'number' ? pattern : value)),
    );
    const { status, json } = await send(plain, other);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('pattern')]);
  });

  test('without the type that it needs', async () => {
    const { status } = await google(plain, { generationConfig: { responseSchema: answer } });
    expect(status).toBe(400);
  });
});

describe('refuses images', () => {
  const data = 'iVBORw0KGgo=';
  const url = `data:image/png;base64,${data}`;
  const text = { type: 'text', text: plain };
  const cases: [string, Send, JsonObject][] = [
    [
      'Responses',
      responses,
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: plain },
              { type: 'input_image', image_url: url },
            ],
          },
        ],
      },
    ],
    [
      'Chat Completions',
      chat,
      { messages: [{ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] }] },
    ],
    [
      'Messages',
      messages,
      {
        messages: [
          {
            role: 'user',
            content: [
              text,
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            ],
          },
        ],
      },
    ],
    [
      'generative-content',
      google,
      {
        contents: [
          {
            role: 'user',
            parts: [{ text: plain }, { inlineData: { mimeType: 'image/png', data } }],
          },
        ],
      },
    ],
  ];
  test.each(cases)('for a model that reads text only, on %s', async (...given) => {
    const [, send, members] = given;
    const { status, json } = await send(plain, members, 'ts-plain');
    expect(status).toBe(400);
    expect(isObject(json) && JSON.stringify(json.error)).toContain('images');
  });
});
