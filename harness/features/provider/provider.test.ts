import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Exchange, exchangeId } from '../../kernel/core/index.ts';
import { answerOf, contentOf, protocolModules, violations } from '../../kernel/protocols/index.ts';
import { startClock } from '../../kernel/wire/index.ts';
import type { Say } from './ask.ts';
import { ends } from './ask.ts';
import { exact } from './exact.ts';
import { played } from './played.ts';
import { Provider } from './provider.ts';

const key = 'sk-provider-of-the-test';
const recorded: Exchange[] = [];
let provider: Provider;
let base = '';

beforeAll(async () => {
  const reception = {
    ...{ clock: startClock(), secrets: { 'provider-a': key } },
    record: (exchange: Exchange) => void recorded.push(exchange),
  };
  const listen = [{ name: 'a', at: '127.0.0.1:0' }];
  provider = await Provider.start({ listen, keys: { a: key }, routes: [] }, {}, reception);
  base = provider.addresses.get('a') ?? '';
});

afterAll(() => provider.close());

const heads = {
  'chat-completions': { authorization: `Bearer ${key}` },
  messages: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
} as const;
const paths = { 'chat-completions': '/v1/chat/completions', messages: '/v1/messages' } as const;
const protocols = ['chat-completions', 'messages'] as const;
type Protocol = (typeof protocols)[number];

async function post(
  protocol: Protocol,
  body: unknown,
  headers: Readonly<Record<string, string>> = heads[protocol],
  prefix = '',
): Promise<{ readonly status: number; readonly text: string }> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const answer = await fetch(base + prefix + paths[protocol], {
    ...init,
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

let words = 0;

/** Asks for a scripted answer, and returns the exchange as it was recorded. */
async function said(protocol: Protocol, say: Say, more: object = {}): Promise<Exchange> {
  const word = `wrd${String.fromCharCode(97 + words++)}xyz`;
  const stage = provider.stage(exchangeId({ scenario: 'x' }), word, { say });
  const ask = played[protocol].request({ turns: [{ by: 'user', text: word }], limit: 77 });
  await post(protocol, { model: 'm', ...ask, ...more });
  await provider.settled(stage, 0);
  const [exchange] = stage.exchanges;
  if (exchange === undefined) throw new Error('Nothing was recorded');
  const operation = `${protocol}.${'stream' in more ? 'stream' : 'create'}`;
  return { ...exchange, about: { ...exchange.about, operation } };
}

const counts = { input: 31, cached: 7, output: 11 };
const calls = [
  { id: 'call_a', name: 'look_up', args: '{"n": 12345678901234567890}' },
  { id: 'call_b', name: 'now', args: '' },
];

describe.each(protocols)('the answers of %s are native', (protocol) => {
  const { stream } = protocolModules[protocol];
  const shape = protocol === 'messages' ? 'messages/message' : 'chat-completions/completion-full';

  test.each(ends)('with the end %s', async (end) => {
    const say: Say = {
      text: 'A text.',
      end,
      stoppedAt: 'stop',
      counts,
      ...(end === 'calls' ? { calls } : {}),
    };
    const body = await said(protocol, say);
    expect(
      violations(shape, JSON.parse(Buffer.from(body.response?.body ?? []).toString())),
    ).toEqual([]);
    const more = {
      stream: true,
      ...(protocol === 'messages' ? {} : { stream_options: { include_usage: true } }),
    };
    const streamed = await said(protocol, say, more);
    const answer = answerOf(streamed);
    if (answer.form !== 'events') throw new Error('It answered no stream');
    const found = stream.judge(answer.stream, { text: say.text }, { model: 'm', ...more });
    expect(found.violations).toEqual([]);
    expect(contentOf(streamed)).toMatchObject({
      text: say.text,
      ending: played[protocol].ends[end],
    });
    expect(contentOf(body).toolCalls.length).toBe(end === 'calls' ? 2 : 0);
  });

  test('numbers in arguments are not rounded', async () => {
    const { response } = await said(protocol, { text: '', calls, end: 'calls', counts });
    expect(Buffer.from(response?.body ?? []).toString()).toContain('12345678901234567890');
  });

  test('a wrong key is refused natively', async () => {
    const wrong = {
      ...heads[protocol],
      'x-api-key': 'another-key',
      authorization: 'Bearer another-key',
    };
    const { status, text } = await post(protocol, { model: 'm', messages: [] }, wrong);
    expect(status).toBe(401);
    const schema = protocol === 'messages' ? 'messages/error' : 'chat-completions/error';
    expect(violations(schema, JSON.parse(text))).toEqual([]);
  });
});

test('a stream of Chat Completions tells its usage only if it is asked for', async () => {
  const { response } = await said(
    'chat-completions',
    { text: 'x', end: 'end', counts },
    { stream: true },
  );
  expect(Buffer.from(response?.body ?? []).toString()).not.toContain('usage');
});

const user = { role: 'user', content: 'hi' };

test.each([
  ['messages', 'no limit', { messages: [user] }],
  [
    'messages',
    'an unknown choice',
    { max_tokens: 9, messages: [user], tool_choice: { type: 'required' } },
  ],
  [
    'messages',
    'a result without a call',
    {
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: '1' }] },
      ],
    },
  ],
  ['chat-completions', 'the choice of Messages', { messages: [user], tool_choice: 'any' }],
  [
    'chat-completions',
    'a result without a call',
    { messages: [user, { role: 'tool', tool_call_id: 'x', content: '1' }] },
  ],
] as const)('%s refuses %s', async (protocol, _, body) => {
  const { status } = await post(protocol, { model: 'm', ...body });
  expect(status).toBe(400);
});

test('what belongs to no scenario is served, and kept', async () => {
  const before = provider.strays.length;
  const { status } = await post(
    'chat-completions',
    { model: 'm', messages: [user] },
    undefined,
    '/acme/eu',
  );
  expect(status).toBe(200);
  const list = await fetch(`${base}/v1/models`, { headers: heads['chat-completions'] });
  expect(list.status).toBe(200);
  await expect.poll(() => provider.strays.length).toBe(before + 2);
  expect(provider.strays.every(({ about }) => about.side === 'back')).toBe(true);
});

test('JSON is read without rounding, and without regard to how a number is written', () => {
  expect(exact('{"a":1.0,"b":[1e3]}')).toEqual(exact('{"b":[1000],"a":1}'));
  expect(exact('[12345678901234567890]')).not.toEqual(exact('[12345678901234567000]'));
  expect(exact('["1.0"]')).not.toEqual(exact('["1"]'));
  expect(exact('{"a":')).toBeUndefined();
});
