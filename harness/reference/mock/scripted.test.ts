import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { at, base, reference } from '../responses/testing.ts';
import type { ReferenceGateway } from '../start.ts';
import { bearer, post, type Received } from '../testing-requests.ts';
import type { Script } from './script.ts';

const tool = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

type Said = readonly [role: 'user' | 'assistant', text: string];

interface Form {
  readonly path: string;
  headers(gateway: ReferenceGateway): Record<string, string>;
  body(model: string, said: readonly Said[]): JsonObject;
  /** Returns the text of an answer in one body. */
  text(json: Json): Json | undefined;
  calls(json: Json): readonly (Json | undefined)[];
  /** Pieces of a stream. */
  piece(event: Json): Json | undefined;
}

const forms: Readonly<Record<string, Form>> = {
  responses: {
    path: '/v1/responses',
    headers: ({ keys }) => bearer(keys.owner),
    body: (model, said) => ({
      model,
      input: said.map(([role, content]) => ({ role, content })),
      tools: [{ type: 'function', ...tool }],
    }),
    text: (json) => at(json, 'output.0.content.0.text'),
    calls: (json) => [0, 1].map((n) => at(json, `output.${n}.name`)),
    piece: (event) => at(event, 'delta'),
  },
  'chat-completions': {
    path: '/v1/chat/completions',
    headers: ({ keys }) => bearer(keys.owner),
    body: (model, said) => ({
      model,
      messages: said.map(([role, content]) => ({ role, content })),
      tools: [{ type: 'function', function: tool }],
    }),
    text: (json) => at(json, 'choices.0.message.content'),
    calls: (json) => [0, 1].map((n) => at(json, `choices.0.message.tool_calls.${n}.function.name`)),
    piece: (event) => at(event, 'choices.0.delta.content'),
  },
  messages: {
    path: '/v1/messages',
    headers: ({ keys }) => ({ 'x-api-key': keys.owner, 'vendorA-version': '2023-06-01' }),
    body: (model, said) => ({
      model,
      max_tokens: 64,
      messages: said.map(([role, content]) => ({ role, content })),
      tools: [{ name: tool.name, input_schema: tool.parameters }],
    }),
    text: (json) => at(json, 'content.0.text'),
    calls: (json) => [0, 1].map((n) => at(json, `content.${n}.name`)),
    piece: (event) => at(event, 'delta.text'),
  },
};

function ask(
  gateway: ReferenceGateway,
  protocol: string,
  said: string | readonly Said[],
  more: JsonObject = {},
  model = 'ts-omni',
): Promise<Received> {
  const form = forms[protocol];
  if (form === undefined) throw new Error(protocol);
  const turns: readonly Said[] = typeof said === 'string' ? [['user', said]] : said;
  const body = { ...form.body(model, turns), ...more };
  return post(base(gateway) + form.path, form.headers(gateway), body);
}

const script: Script = {
  rules: [
    { when: { says: 'once' }, times: 1, text: 'The first time.' },
    {
      name: 'tools',
      when: { says: '/^call .*both/i' },
      calls: [{ name: 'get_weather' }, { name: 'other', arguments: { n: 1 } }],
    },
    { when: { says: 'json' }, value: { sunny: true } },
    { when: { says: 'pieces' }, pieces: ['On', 'e, t', 'wo.'] },
    { when: { says: 'busy' }, error: { status: 429, retryAfter: 3, message: 'Later.' } },
    {
      when: { says: 'breaks' },
      text: 'It goes well until it does not.',
      headers: { 'X-Left': '7' },
      error: { status: 529, message: 'Broken.', after: 4 },
    },
    { when: { turn: 2 }, text: 'Again?' },
    { when: { model: 'my-model', protocol: ['messages', 'responses'] }, text: 'Mine.' },
  ],
  otherwise: { text: 'Nothing fits.' },
};

test.for(Object.keys(forms))(
  '%s: texts, calls, values and errors of one script',
  async (protocol) => {
    await using gateway = await reference({ script, journal: {} });
    const { text, calls, piece } = forms[protocol] ?? {};
    const saying = async (said: string | readonly Said[], more?: JsonObject, model?: string) =>
      text?.((await ask(gateway, protocol, said, more, model)).json);
    expect(await saying('Say it ONCE.')).toBe('The first time.');
    expect(await saying('Say it once.')).toBe('Nothing fits.');
    expect(calls?.((await ask(gateway, protocol, 'Call them both')).json)).toEqual([
      'get_weather',
      'other',
    ]);
    expect(await saying('as JSON, please')).toBe('{"sunny":true}');
    expect(
      await saying([
        ['user', 'One'],
        ['assistant', 'Yes?'],
        ['user', 'Two'],
      ]),
    ).toBe('Again?');
    const busy = await ask(gateway, protocol, 'busy?');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3']);
    expect(at(busy.json, 'error.message')).toBe('Later.');
    const { events } = await ask(gateway, protocol, 'in pieces', { stream: true });
    const written = events.flatMap(({ data }) => {
      const delta = data.startsWith('{') ? piece?.(JSON.parse(data)) : undefined;
      return typeof delta === 'string' && delta !== '' ? [delta] : [];
    });
    expect(written).toEqual(['On', 'e, t', 'wo.']);
    const broken = await ask(gateway, protocol, 'It breaks', { stream: true });
    expect([broken.status, broken.headers.get('x-left'), broken.events.length]).toEqual([
      200,
      '7',
      5,
    ]);
    const late: Json = JSON.parse(broken.events.at(-1)?.data ?? '');
    expect(at(late, 'error.message')).toBe('Broken.');
    expect(at(late, 'sequence_number')).toBe(protocol === 'responses' ? 4 : undefined);
    expect((await ask(gateway, protocol, 'It breaks')).status).toBe(529);
    const mine = await ask(gateway, protocol, 'Hello', {}, 'my-model');
    expect(text?.(mine.json)).toBe(protocol === 'chat-completions' ? 'Nothing fits.' : 'Mine.');
    expect(gateway.requests().map(({ rule }) => rule)).toEqual([
      '1',
      'otherwise',
      'tools',
      '3',
      '7',
      '5',
      '4',
      '6',
      '6',
      protocol === 'chat-completions' ? 'otherwise' : '8',
    ]);
  },
);

test('the limit of the request holds, and its stop sequences', async () => {
  await using gateway = await reference({ script: { rules: [{ text: 'One two. Three four.' }] } });
  const { json } = await ask(gateway, 'chat-completions', 'Hi', { max_tokens: 2 });
  expect(at(json, 'choices.0')).toMatchObject({
    finish_reason: 'length',
    message: { content: 'One two' },
  });
  const stopped = await ask(gateway, 'chat-completions', 'Hi', { stop: ' Three' });
  expect(at(stopped.json, 'choices.0')).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'One two.' },
  });
});

test('an answer ends as a filter ends it, in the words of each protocol', async () => {
  await using gateway = await reference({
    script: { rules: [{ text: 'I would rather not.', ends: 'filtered' }] },
  });
  const endings = {
    responses: ['incomplete_details.reason', 'content_filter'],
    'chat-completions': ['choices.0.finish_reason', 'content_filter'],
    messages: ['stop_reason', 'refusal'],
  } as const;
  for (const [protocol, [place, reason]] of Object.entries(endings)) {
    expect(at((await ask(gateway, protocol, 'Hi')).json, place)).toBe(reason);
    const { events } = await ask(gateway, protocol, 'Hi', { stream: true });
    expect(events.map(({ data }) => data).join()).toContain(`"${reason}"`);
  }
  const generative = `${base(gateway)}/v1beta/models/ts-omni:generateContent`;
  const headers = { 'x-vendorB-api-key': gateway.keys.owner };
  const { json } = await post(generative, headers, { contents: [{ parts: [{ text: 'Hi' }] }] });
  expect(at(json, 'candidates.0.finishReason')).toBe('SAFETY');
});

test('the result of a call, the system prompt, the key and the tool decide, too', async () => {
  await using gateway = await reference({
    script: {
      rules: [
        { when: { toolResult: 'blue' }, text: 'The sky.' },
        { when: { toolResult: false, tool: 'get_weather', system: /pirate/i }, text: 'Arr.' },
        { when: { key: 'otherUser' }, text: 'Somebody else.' },
        { when: { stream: true }, text: 'Streamed.' },
      ],
    },
  });
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'The weather?' },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'It is blue.' },
  ];
  const said = async (body: JsonObject, key = gateway.keys.owner) =>
    at(
      (
        await post(`${base(gateway)}/v1/chat/completions`, bearer(key), {
          model: 'ts-omni',
          ...body,
        })
      ).json,
      'choices.0.message.content',
    );
  expect(await said({ messages })).toBe('The sky.');
  const pirate = [{ role: 'system', content: 'You are a Pirate.' }, ...messages.slice(0, 1)];
  expect(await said({ messages: pirate, tools: [{ type: 'function', function: tool }] })).toBe(
    'Arr.',
  );
  expect(await said({ messages: pirate }, gateway.keys.otherUser)).toBe('Somebody else.');
  expect(await said({ messages: pirate })).toMatch(/\.$/);
});

test('an answer is cut or reset, and System One answers a value', async () => {
  await using gateway = await reference({
    script: {
      rules: [
        { when: { says: 'cut' }, text: 'One two three.', cut: 3 },
        { when: { says: 'fire' }, text: 'System One has no text.' },
        { when: { protocol: 'systemone' }, value: { urgent: { type: 'noul', noul: 1 } } },
        { reset: true },
      ],
    },
    journal: {},
  });
  const cut = ask(gateway, 'chat-completions', 'cut it', { stream: true });
  await expect(cut).rejects.toThrow('aborted');
  await expect(ask(gateway, 'responses', 'Hi')).rejects.toThrow('ECONNRESET');
  const questions = { urgent: { type: 'noul', instructions: 'Is it urgent?' } };
  const body = { model: 'ts-omni', state: 'Fire.', questions };
  const { json } = await post(`${base(gateway)}/v1/systemone`, bearer(gateway.keys.owner), body);
  expect(at(json, 'answers')).toEqual({ urgent: { type: 'noul', noul: 1 } });
  expect(gateway.requests({ protocol: 'systemone' })[0]?.rule).toBe('3');
});

test('another script takes its place, from its beginning', async () => {
  await using gateway = await reference({ script: null });
  const once: Script = { rules: [{ text: 'Once.', times: 1 }], otherwise: { text: 'No more.' } };
  const said = async () => at((await ask(gateway, 'messages', 'Hi')).json, 'content.0.text');
  expect(await said()).toMatch(/\.$/);
  gateway.useScript(once);
  expect([await said(), await said()]).toEqual(['Once.', 'No more.']);
  gateway.useScript(once);
  expect(await said()).toBe('Once.');
});
