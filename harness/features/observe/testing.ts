import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import type { Exchange, HeaderLines } from '../../kernel/core/exchange.ts';

const model = 'ts-omni';
const asked = { model, input: 'Say something.', max_output_tokens: 64 };

/** Traffic of ordinary programs with the official clients, for tests. Works with any behaviour of the gateway. */
export async function ordinaryTraffic(baseUrl: string, key: string): Promise<void> {
  await Promise.all(
    [
      ...responses(baseUrl, key),
      ...chat(baseUrl, key),
      ...messages(baseUrl, key),
      ...generative(baseUrl, key),
    ].map(settled),
  );
}

/** Ignores errors of a client, which a faulty gateway may cause. */
async function settled(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => undefined);
}

function openai(baseUrl: string, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 });
}

function responses(baseUrl: string, key: string): (() => Promise<unknown>)[] {
  const client = openai(baseUrl, key);
  return [
    async () => {
      const stored = await client.responses.create({ ...asked, store: true });
      await client.responses.retrieve(stored.id);
      await client.responses.inputItems.list(stored.id);
      await client.responses.create({ ...asked, previous_response_id: stored.id, store: false });
      const other = await client.responses.create({ ...asked, store: true });
      await client.responses.delete(other.id);
    },
    () => drained(client.responses.create({ ...asked, store: false, stream: true })),
    () => client.responses.create({ ...asked, model: 'no-such-model', store: false }),
    () => client.responses.inputTokens.count({ model, input: 'Say something.' }),
    () => drained(client.models.list()),
    async () => {
      const socket = new ResponsesWS(client);
      await new Promise<void>((resolve, reject) => {
        socket.on('response.completed', () => resolve());
        socket.on('error', reject);
        socket.on('close', () => reject(new Error('closed')));
        socket.send({ type: 'response.create', ...asked, store: false });
      });
      socket.close();
    },
  ];
}

function chat(baseUrl: string, key: string): (() => Promise<unknown>)[] {
  const { completions } = openai(baseUrl, key).chat;
  const request = {
    model,
    messages: [{ role: 'user' as const, content: 'Say something.' }],
    max_completion_tokens: 64,
  };
  return [
    () => completions.create(request),
    () => drained(completions.create({ ...request, stream: true })),
    () =>
      drained(
        completions.create({ ...request, stream: true, stream_options: { include_usage: true } }),
      ),
    () => completions.create({ ...request, model: 'no-such-model' }),
  ];
}

function messages(baseURL: string, key: string): (() => Promise<unknown>)[] {
  const client = new Anthropic({
    apiKey: null,
    authToken: null,
    baseURL,
    maxRetries: 0,
    defaultHeaders: {
      authorization: null,
      'anthropic-version': null,
      'x-api-key': key,
      'vendorA-version': '2023-06-01',
    },
  });
  const request = {
    model,
    max_tokens: 64,
    messages: [{ role: 'user' as const, content: 'Say something.' }],
  };
  return [
    () => client.messages.create(request),
    () => drained(client.messages.create({ ...request, stream: true })),
    () => client.messages.create({ ...request, model: 'no-such-model' }),
    () => client.messages.countTokens({ model, messages: request.messages }),
  ];
}

function generative(baseUrl: string, key: string): (() => Promise<unknown>)[] {
  const client = new GoogleGenAI({
    apiKey: 'not-looked-at',
    httpOptions: { baseUrl, headers: { 'x-vendorB-api-key': key } },
  });
  const request = { model, contents: 'Say something.', config: { maxOutputTokens: 64 } };
  return [
    () => client.models.generateContent(request),
    () => drained(client.models.generateContentStream(request)),
    () => client.models.countTokens({ model, contents: 'Say something.' }),
    () => client.models.generateContent({ ...request, model: 'no-such-model' }),
  ];
}

async function drained(stream: PromiseLike<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream) {
    // The events are irrelevant here: the observing proxy judges them.
  }
}

/** Returns exchanges as the text of a HAR file, as a browser or a proxy writes it. */
export function harOf(exchanges: readonly Exchange[], began = Date.now()): string {
  const lines = (headers: HeaderLines) => headers.map(([name, value]) => ({ name, value }));
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const entries = exchanges.map(({ request, response, socket, times }) => ({
    startedDateTime: new Date(began + times.started).toISOString(),
    time: times.ended - times.started,
    request: {
      method: request.method,
      url: request.url,
      headers: lines(request.headers),
      ...(request.body === null ? {} : { postData: { text: textOf(request.body) } }),
    },
    response: {
      status: response?.status ?? 0,
      headers: lines(response?.headers ?? []),
      content: response === null ? {} : { size: response.body.length, text: textOf(response.body) },
    },
    ...(socket === null
      ? {}
      : {
          _webSocketMessages: socket.frames.map(({ from, at, data }) => ({
            type: from === 'us' ? 'send' : 'receive',
            time: (began + at) / 1000,
            opcode: 1,
            data: textOf(data),
          })),
        }),
  }));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test' }, entries } });
}
