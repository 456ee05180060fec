import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { OpenAI } from 'openai';
import { expect, test } from 'vitest';
import type { Protocol } from '../core/protocol.ts';
import { idFrom } from '../core/testing.ts';
import { startClock } from '../wire/clock.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { send } from '../wire/transport.ts';
import type { Call, Deployment } from './call.ts';
import { buildRequest } from './request.ts';

const key = 'canary-key-0123456789';
const model = 'm';
const body = { model };

/** A request as an official client writes it. */
const official: readonly {
  readonly protocol: Protocol;
  readonly path: string;
  ask(baseUrl: string): Promise<unknown>;
}[] = [
  {
    protocol: 'chat-completions',
    path: '/v1/chat/completions',
    ask: (baseUrl) =>
      new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0 }).chat.completions.create({
        model,
        messages: [],
      }),
  },
  {
    protocol: 'messages',
    path: '/v1/messages',
    ask: (baseUrl) =>
      new Anthropic({ baseURL: baseUrl, apiKey: key, maxRetries: 0 }).messages.create({
        model,
        messages: [],
        max_tokens: 16,
      }),
  },
  {
    protocol: 'generative',
    path: `/v1beta/models/${model}:generateContent`,
    ask: (baseUrl) =>
      new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } }).models.generateContent({
        model,
        contents: 'Hello.',
      }),
  },
];

/**
 * Headers in which the specification differs from the publisher, who also accepts more than one type, and
 * headers of our own.
 */
const differing = /^(authorization|x-api-key|accept|content-length|x-client-request-id)$/i;

test.each(official)(
  'a request of $protocol has the headers of its official client, in their order',
  async ({ protocol, path, ask }) => {
    const seen: string[][] = [];
    const server = await serveHttp((request, response) => {
      seen.push(request.rawHeaders);
      request.resume();
      response.end('{}');
    });
    await ask(server.url).catch(() => undefined);
    const deployment: Deployment = {
      regions: [{ name: 'here', baseUrl: server.url }],
      names: { vendorA: 'anthropic', vendorB: 'goog' },
      versionDate: '2026-10-21',
      credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer' },
      keys: { owner: key },
    };
    const call: Call = {
      operation: 'test',
      protocol,
      method: 'POST',
      path,
      body,
      expects: 'json',
    };
    const request = buildRequest(call, {}, deployment, {
      id: idFrom('test#main/0'),
      clientRequestId: 'r-1',
    });
    await send(request, { clock: startClock(), timeoutMs: 20_000, secrets: {} });
    const [theirs = [], ours = []] = seen.map((lines) =>
      lines.filter((_, n) => n % 2 === 0).filter((name) => !differing.test(name)),
    );
    expect(theirs).not.toEqual([]);
    expect(ours).toEqual(theirs);
    expect(seen[1]?.slice(2, 4)).toEqual(seen[0]?.slice(2, 4));
  },
);
