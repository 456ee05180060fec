import { createServer } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import type { RunResult } from '../../kernel/core/result.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { listening } from '../../kernel/wire/testing-server.ts';
import { Observation } from './observation.ts';
import { startProxy } from './proxy.ts';

type Answer = Parameters<typeof createServer>[1];

const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
});

const served: Answer = (_, out) =>
  out.setHeader('content-type', 'application/json').end(completion);
const refuses =
  (status: number): Answer =>
  (_, out) =>
    out
      .writeHead(status, { 'content-type': 'application/json' })
      .end('{"error":{"message":"No."}}');

/** Lets a client use a gateway that gives this answer, and returns the verdicts of the observing proxy. */
async function seen(
  answer: Answer,
  use: (baseUrl: string, other: string) => Promise<unknown>,
): Promise<(id: string) => RunResult['checks'][number]['verdict']> {
  const server = createServer((request, out) => {
    request.resume().on('end', () => answer?.(request as never, out as never));
  });
  const port = await listening(server);
  const regions = [
    { name: 'here', baseUrl: `http://127.0.0.1:${port}` },
    { name: 'there', baseUrl: `http://localhost:${port}` },
  ];
  const target = withDefaults({ regions, keys: { owner: '' }, models: [] }, 'test');
  const observation = await Observation.of({ target, source: 'proxy', filters: ['client/'] });
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    seen: (exchange) => exchange !== null && observation.add(exchange),
    say: expect.unreachable,
  });
  const [here = '', there = ''] = proxy.addresses.map(({ url }) => url);
  await use(here, there).catch(() => undefined);
  await proxy.close();
  const { checks } = await observation.end();
  return (id) => {
    const found = checks.find((check) => check.id === `client/${id}`);
    if (found === undefined) throw new Error(`there is no row ${id}`);
    return found.verdict;
  };
}

const key = 'sk-of-a-client-1234567';
const messages = [{ role: 'user' as const, content: 'Hi.' }];
const limited = { model: 'm', messages, max_completion_tokens: 16 };
const openai = (baseUrl: string, options: object = {}) =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, ...options });
const reset: Answer = (request) => request.socket.resetAndDestroy();

test('a client that does everything right', async () => {
  const verdict = await seen(served, (url) => openai(url).chat.completions.create(limited));
  for (const id of ['credential-header', 'output-limit-set', 'paths']) {
    expect(verdict(`requests.${id}`)).toMatchObject({ state: 'pass' });
  }
  expect(verdict('retries.none-when-uncertain:reset').state).toBe('not-applicable');
});

test.for([
  [
    'requests.output-limit-set',
    (url: string) => openai(url).chat.completions.create({ model: 'm', messages }),
  ],
  [
    'requests.credential-header',
    (url: string) =>
      new Anthropic({ authToken: key, apiKey: null, baseURL: url }).messages.create({
        model: 'm',
        max_tokens: 16,
        messages,
      }),
  ],
  [
    'requests.credential-header',
    (url: string) =>
      fetch(`${url}/v1/chat/completions?key=${key}`, {
        method: 'POST',
        body: JSON.stringify(limited),
      }),
  ],
  ['requests.paths', (url: string) => openai(`${url}/v1`).chat.completions.create(limited)],
  [
    'requests.model-id-encoded',
    (url: string) =>
      new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } }).models.generateContent({
        model: 'models/acme/m',
        contents: 'Hi.',
      }),
  ],
  [
    'requests.background-stores',
    (url: string) =>
      openai(url).responses.create({
        model: 'm',
        input: 'Hi.',
        max_output_tokens: 16,
        background: true,
      }),
  ],
] as const)('%s: a client that breaks it is seen', async ([id, use]) => {
  const verdict = await seen(served, use);
  expect(verdict(id)).toMatchObject({ state: 'fail', points: { broken: 1 } });
});

const stored = '{"id":"resp_1","object":"response","status":"completed","output":[]}';
const stores: Answer = (_, out) => out.setHeader('content-type', 'application/json').end(stored);

test.for([
  [0, 'pass'],
  [1, 'fail'],
] as const)('region %i is asked for what region 0 made: %s', async ([region, state]) => {
  const verdict = await seen(stores, async (...regions) => {
    await openai(regions[0]).responses.create({ model: 'm', input: 'Hi.', store: true });
    await openai(regions[region]).responses.retrieve('resp_1');
  });
  expect(verdict('requests.original-region')).toMatchObject({ state });
});

test.for([
  ['reset', 'none-when-uncertain:reset', 'fail', reset],
  ['500', 'none-at-all:500', 'warn', refuses(500)],
  ['429', 'none-at-all:429', 'warn', refuses(429)],
] as const)(
  'a client that asks again after %s is seen, and one that does not',
  async ([, id, state, answer]) => {
    const again = await seen(answer, (url) =>
      openai(url, { maxRetries: 1 }).chat.completions.create(limited),
    );
    expect(again(`retries.${id}`)).toMatchObject({ state, points: { judged: 2, broken: 1 } });
    const once = await seen(answer, (url) =>
      openai(url, { maxRetries: 0 }).chat.completions.create(limited),
    );
    expect(once(`retries.${id}`)).toMatchObject({ state: 'pass', points: { judged: 1 } });
  },
);

test('two people who ask the same are no client that asks again', async () => {
  const verdict = await seen(reset, async (url) => {
    for (const _ of [1, 2]) {
      const client = openai(url, { maxRetries: 0 });
      await client.chat.completions.create(limited).catch(() => undefined);
    }
  });
  expect(verdict('retries.none-when-uncertain:reset')).toMatchObject({ points: { broken: 0 } });
});

test('what takes a script is excluded', async () => {
  const verdict = await seen(served, (url) => openai(url).chat.completions.create(limited));
  expect(verdict('stream.own-parser').state).toBe('excluded');
  expect(verdict('retries.none-at-all:refused').state).toBe('excluded');
});
