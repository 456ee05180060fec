import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type ReferenceGateway, startReference } from './start.ts';
import { bearer, post, type Received } from './testing-requests.ts';

let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'], tokenMs: 1 });
});
afterAll(() => gateway.close());

const count = 'Count from one to twenty.';
const plain = 'Say something.';
const counted = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const answer = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'blue'] }, number: { type: 'integer' } },
  required: ['colour', 'number'],
  additionalProperties: false,
};

interface Spoken {
  send(text: string, members: JsonObject, model?: string): Promise<Received>;
  stream(text: string, members: JsonObject): Promise<Received>;
}

function at(path: string, body: JsonObject, headers: Record<string, string>): Promise<Received> {
  return post(`${gateway.regions[0]?.baseUrl}${path}`, headers, body);
}

function openai(path: string, named: (text: string) => JsonObject): Spoken {
  const send = (text: string, members: JsonObject, model = 'ts-omni') =>
    at(path, { model, ...named(text), ...members }, bearer(gateway.keys.owner));
  return { send, stream: (text, members) => send(text, { ...members, stream: true }) };
}

const responses = openai('/v1/responses', (text) => ({ input: text }));
const chat = openai('/v1/chat/completions', (text) => ({
  messages: [{ role: 'user', content: text }],
}));
const messages: Spoken = {
  send: (text, members, model = 'ts-omni') =>
    at(
      '/v1/messages',
      { model, max_tokens: 64, messages: [{ role: 'user', content: text }], ...members },
      { 'x-api-key': gateway.keys.owner, 'vendorA-version': '2023-06-01' },
    ),
  stream: (text, members) => messages.send(text, { ...members, stream: true }),
};

function generative(action: string) {
  return (text: string, members: JsonObject, model = 'ts-omni'): Promise<Received> => {
    const contents = [{ role: 'user', parts: [{ text }] }];
    return at(
      `/v1beta/models/${model}:${action}`,
      { contents, ...members },
      { 'x-vendorb-api-key': gateway.keys.owner },
    );
  };
}

const google: Spoken = {
  send: generative('generateContent'),
  stream: generative('streamGenerateContent?alt=sse'),
};

/** The data of the events that are JSON. */
function dataOf({ events }: Received): Json[] {
  return events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data));
}

describe('ends before a stop sequence', () => {
  test('on Chat Completions', async () => {
    const { json } = await chat.send(count, { stop: ['nine', 'seven'] });
    expect(json).toMatchObject({
      choices: [{ message: { content: counted }, finish_reason: 'stop' }],
      usage: { completion_tokens: 7 },
    });
    const chunks = dataOf(await chat.stream(count, { stop: 'seven' })).map(Object);
    const text = chunks.map(({ choices: [choice] }) => choice.delta.content ?? '').join('');
    expect(text).toBe(counted);
  });

  test('on Messages, and names it', async () => {
    const stop_sequences = ['seven'];
    const { json } = await messages.send(count, { stop_sequences });
    const end = { stop_reason: 'stop_sequence', stop_sequence: 'seven' };
    expect(json).toMatchObject({ content: [{ text: counted }], ...end });
    const events = dataOf(await messages.stream(count, { stop_sequences }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'message_delta', delta: end }));
  });

  test('on generative-content', async () => {
    const members = { generationConfig: { stopSequences: ['seven'] } };
    const { json } = await google.send(count, members);
    expect(json).toMatchObject({
      candidates: [{ content: { parts: [{ text: counted }] }, finishReason: 'STOP' }],
    });
    const chunks = dataOf(await google.stream(count, members)).map(Object);
    expect(chunks.map(({ candidates: [one] }) => one.content.parts[0].text).join('')).toBe(counted);
    expect(chunks.at(-1).candidates[0].finishReason).toBe('STOP');
  });
});

describe('writes JSON that the schema accepts', () => {
  const format = { type: 'json_schema', name: 'answer', schema: answer, strict: true };
  const cases: [string, Spoken, JsonObject, string][] = [
    ['Responses', responses, { text: { format } }, 'output.0.content.0.text'],
    [
      'Chat Completions',
      chat,
      { response_format: { type: 'json_schema', json_schema: format } },
      'choices.0.message.content',
    ],
    [
      'Messages',
      messages,
      { output_config: { format: { type: 'json_schema', schema: answer } } },
      'content.0.text',
    ],
    [
      'generative-content',
      google,
      { generationConfig: { responseMimeType: 'application/json', responseSchema: answer } },
      'candidates.0.content.parts.0.text',
    ],
  ];

  test.each(cases)('on %s', async (_, spoken, members, path) => {
    const { json } = await spoken.send(plain, members);
    const text = path.split('.').reduce<unknown>((value, name) => Object(value)[name], json);
    expect(JSON.parse(String(text))).toEqual({ colour: 'red', number: expect.any(Number) });
  });

  test.each(cases)('or refuses a keyword that it does not know, on %s', async (...given) => {
    const [, spoken, members] = given;
    const pattern = { type: 'string', pattern: '^a' };
    const other = JSON.parse(
      JSON.stringify(members, (name, value: Json) => (name === 'number' ? pattern : value)),
    );
    const { status, json } = await spoken.send(plain, other);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('pattern')]);
  });

  test('refuses a schema without the type that it needs', async () => {
    const { status } = await google.send(plain, { generationConfig: { responseSchema: answer } });
    expect(status).toBe(400);
  });
});

describe('tells log probabilities', () => {
  const token = { token: expect.any(String), logprob: expect.any(Number) };
  const entry = { ...token, bytes: expect.any(Array), top_logprobs: [{ ...token }, { ...token }] };

  test('on Responses, where they are included', async () => {
    const members = { include: ['message.output_text.logprobs'], top_logprobs: 2 };
    const { json } = await responses.send(plain, members);
    const { text, logprobs } = Object(json).output[0].content[0];
    expect(logprobs[0]).toMatchObject(entry);
    expect(logprobs.map(({ token }: { token: string }) => token).join('')).toBe(text);
    const { json: without } = await responses.send(plain, { top_logprobs: 2 });
    expect(Object(without).output[0].content[0].logprobs).toEqual([]);
  });

  test('on Chat Completions, in each chunk', async () => {
    const members = { logprobs: true, top_logprobs: 2 };
    const { json } = await chat.send(plain, members);
    expect(Object(json).choices[0].logprobs.content[0]).toMatchObject(entry);
    const [, chunk] = dataOf(await chat.stream(plain, members)).map(Object);
    expect(chunk.choices[0].logprobs.content).toMatchObject([entry]);
    expect((await chat.send(plain, { top_logprobs: 2 })).status).toBe(400);
  });

  test('on generative-content, as many as there are tokens', async () => {
    const members = { generationConfig: { responseLogprobs: true, logprobs: 2 } };
    const { json } = await google.send(plain, members);
    const { candidates, usageMetadata } = Object(json);
    const { chosenCandidates, topCandidates } = candidates[0].logprobsResult;
    expect(chosenCandidates).toHaveLength(usageMetadata.candidatesTokenCount);
    expect(topCandidates).toHaveLength(chosenCandidates.length);
    expect(topCandidates[0].candidates[0]).toEqual(chosenCandidates[0]);
  });
});

describe('gives several answers', () => {
  test('on Chat Completions', async () => {
    const members = { n: 2, stream_options: { include_usage: true } };
    const { json } = await chat.send(plain, { n: 2 });
    const { choices, usage } = Object(json);
    expect(choices.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
    expect(choices[0].message.content).not.toBe(choices[1].message.content);
    const chunks = dataOf(await chat.stream(plain, members)).map(Object);
    for (const { index, message } of choices) {
      const own = chunks.flatMap(({ choices }) => choices).filter((one) => one.index === index);
      expect(own.map(({ delta }) => delta.content ?? '').join('')).toBe(message.content);
      expect(own.at(-1).finish_reason).toBe('stop');
    }
    expect(chunks.at(-1).usage).toEqual(usage);
  });

  test('on generative-content', async () => {
    const members = { generationConfig: { candidateCount: 2 } };
    const { json } = await google.send(plain, members);
    const { candidates, usageMetadata } = Object(json);
    expect(candidates).toHaveLength(2);
    const chunks = dataOf(await google.stream(plain, members)).map(Object);
    const second = chunks.map(({ candidates: [one] }) => one).filter(({ index }) => index === 1);
    const text = second.map(({ content }) => content.parts[0].text).join('');
    expect(text).toBe(candidates[1].content.parts[0].text);
    expect(chunks.at(-1).usageMetadata).toEqual(usageMetadata);
  });
});

describe('counts images', () => {
  const data = 'iVBORw0KGgo=';
  const url = `data:image/png;base64,${data}`;
  const text = { type: 'text', text: plain };
  const cases: [string, Spoken, JsonObject, string][] = [
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
      'input_tokens',
    ],
    [
      'Chat Completions',
      chat,
      { messages: [{ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] }] },
      'prompt_tokens',
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
      'input_tokens',
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
      'promptTokenCount',
    ],
  ];
  const tokens = ({ json }: Received, name: string): unknown => {
    const body = Object(json);
    return (body.usage ?? body.usageMetadata)[name];
  };

  test.each(cases)('on %s', async (_, spoken, members, name) => {
    const without = tokens(await spoken.send(plain, {}), name);
    expect(tokens(await spoken.send(plain, members), name)).toBe(Number(without) + 85);
  });

  test.each(cases)('or refuses them for a model that reads text only, on %s', async (...given) => {
    const [, spoken, members] = given;
    const { status, json } = await spoken.send(plain, members, 'ts-plain');
    expect(status).toBe(400);
    expect(isObject(json) && JSON.stringify(json.error)).toContain('images');
  });
});
