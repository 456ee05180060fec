import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { redactBytes, redactExchange, redactText } from '../redaction/index.ts';
import { toLine } from './recording.ts';
import { firstEvent, serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

const key = 'sk-Canary/4+7=Zq"9v!T0xW';
const secrets = { owner: key, otherUser: 'sk-other-Canary-1234567890' };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['as it is', key],
  ['URL-encoded', encodeURIComponent(key)],
  ['URL-encoded in lower case', encodeURIComponent(key).replace(/%../g, (c) => c.toLowerCase())],
  ['as in a form', new URLSearchParams({ key }).toString()],
  ['in JSON', JSON.stringify({ key })],
  ['in JSON with escaped slashes', JSON.stringify({ key }).replaceAll('/', '\\/')],
  ['in hex', Buffer.from(key).toString('hex')],
  ['in upper-case hex', Buffer.from(key).toString('hex').toUpperCase()],
  ['in base64', base64(key)],
  ['in base64 behind one byte', base64(`x${key}y`)],
  ['in base64 behind two bytes', base64(`xx${key}yy`)],
  ['as the user of Basic', base64(`${key}:`)],
  ['as the password of Basic', base64(`me:${key}`)],
  ['in base64url', Buffer.from(`??>${key}`).toString('base64url')],
])('a key is found %s', (_how, form) => {
  const text = `before ${form} after`;
  const found = new Set<string>();
  const clean = Buffer.from(redactBytes(Buffer.from(text), secrets, found)).toString();
  expect([...found]).toEqual(['owner']);
  expect(clean).toHaveLength(text.length);
  expect(clean).toMatch(/^before .* after$/);
  expect(clean).toMatch(/\*{15,}/);
  for (const piece of [key, key.slice(0, 12), key.slice(-12), form.slice(8, 24)]) {
    expect(clean).not.toContain(piece);
  }
});

const packed = Buffer.from(JSON.stringify({ echo: `${'x'.repeat(5_000)} ${key}` }));

test.each([
  ['gzip', gzipSync(packed)],
  ['gzip that is cut', gzipSync(packed).subarray(0, -8)],
  ['zlib', deflateSync(packed)],
  ['gzip behind something else', Buffer.concat([Buffer.from('junk'), gzipSync(packed)])],
  ['deflate without a header', deflateRawSync(packed)],
  ['Brotli', brotliCompressSync(packed)],
])('packed bytes with a key inside are masked as a whole: %s', (_format, bytes) => {
  const found = new Set<string>();
  const clean = redactBytes(bytes, secrets, found);
  expect(Buffer.from(clean).toString()).toBe('*'.repeat(bytes.length));
  expect([...found]).toEqual(['owner']);
});

test('packed bytes without a key inside are the same bytes', () => {
  const bytes = gzipSync('{"text":"Hello."}');
  expect(redactBytes(bytes, secrets)).toEqual(bytes);
});

test('what holds no secret is the same bytes', () => {
  const bytes = Buffer.from('{"text":"Hello."}');
  expect(redactBytes(bytes, secrets)).toBe(bytes);
});

test('a short key blots out no words', () => {
  expect(redactText('a developer', { owner: 'dev' })).toBe('a developer');
});

test('a key that stands inside of another is masked with it, and is no echo of its own', () => {
  const almost = { owner: key, shorter: key.slice(0, -1), longer: `${key}q7` };
  const foundIn = (text: string): readonly [string, readonly string[]] => {
    const found = new Set<string>();
    return [Buffer.from(redactBytes(Buffer.from(text), almost, found)).toString(), [...found]];
  };
  for (const write of [String, base64, (text: string) => Buffer.from(text).toString('hex')]) {
    for (const [name, secret] of Object.entries(almost)) {
      const [clean, found] = foundIn(`<${write(secret)}>`);
      expect(found).toEqual([name]);
      expect(clean).toMatch(/^<\*{20,}[^*]{0,2}>$/);
    }
  }
});

test('every occurrence is masked, next to each other too', () => {
  expect(redactText(`${key}${key} ${secrets.otherUser}`, secrets)).toMatch(/^\*+ \*+$/);
});

test('whatever stands around a key, it is gone and the length is the same', () => {
  const around = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const bytes = Buffer.concat([before, Buffer.from(key), after]);
      const clean = Buffer.from(redactBytes(bytes, secrets));
      expect(clean.length).toBe(bytes.length);
      expect(clean.includes(key)).toBe(false);
      expect(clean.subarray(0, before.length)).toEqual(Buffer.from(before));
      expect(clean.subarray(before.length + key.length)).toEqual(Buffer.from(after));
    }),
  );
});

test('nothing of a key is on record: URL, headers, bodies, across the pieces of an answer', async () => {
  const { timeForNext, onFirstEvent } = firstEvent();
  const server = await serveHttp(async (request, response) => {
    response.setHeader('X-Echo', `you sent ${request.headers.authorization}`);
    response.setHeader('Content-Type', 'text/event-stream');
    response.write(`data: {}\n\ndata: no such key ${key.slice(0, 7)}`);
    await timeForNext;
    response.end(`${key.slice(7)}\n\n`);
  });
  const request = wireRequest(`${server.url}/v1?key=${encodeURIComponent(key)}`, {
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['x-api-key', secrets.otherUser],
    ],
    body: Buffer.from(JSON.stringify({ key })),
    onFirstEvent,
  });
  const exchange = await send(request, wireOptions({ secrets }));
  expect(exchange.response?.chunks.length).toBe(2);
  expect(exchange.response?.body.length).toBe(exchange.response?.chunks.at(-1)?.end);
  expect(exchange.echoed).toEqual(['owner']);
  const line = toLine(exchange);
  for (const piece of ['Canary', base64(key).slice(0, 20), encodeURIComponent(key).slice(5)]) {
    expect(line).not.toContain(piece);
  }
  expect(exchange.request.headers).toContainEqual([
    'Authorization',
    `Bearer ${'*'.repeat(key.length)}`,
  ]);
});

test('nor in frames, closing reasons and messages', () => {
  const exchange: Exchange = {
    id: idFrom('test#main/0'),
    about: { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' },
    request: { method: 'GET', url: 'ws://127.0.0.1/', headers: [], body: null },
    response: null,
    socket: {
      frames: [
        { from: 'us', at: 1, kind: 'text', data: Buffer.from(secrets.otherUser) },
        { from: 'gateway', at: 2, kind: 'text', data: Buffer.from(JSON.stringify({ key })) },
      ],
      close: { code: 1008, reason: `bad ${key}`, by: 'gateway' },
    },
    failure: { kind: 'reset', message: `broke at ${key}` },
    times: { started: 0, headers: null, ended: 3 },
    echoed: [],
  };
  const clean = redactExchange(exchange, secrets);
  expect(toLine(clean)).not.toContain('Canary');
  // Data that we sent ourselves counts as no echo.
  expect(clean.echoed).toEqual(['owner']);
});

test('a key that may be a word is sought as it is written, and not in what others make together', () => {
  const word = { owner: 'correct-horse' };
  expect(redactText('say correct-horse', word)).toBe('say *************');
  expect(redactText('Correct-Horse', word)).toBe('Correct-Horse');
  const deltas = ['correct-', 'horse'].map((text) => `data: {"delta":"${text}"}\n\n`).join('');
  expect(redactText(deltas, word)).toBe(deltas);
  expect(redactText(deltas.replace('-', '-9'), { owner: 'correct-9horse' })).not.toContain('horse');
});
