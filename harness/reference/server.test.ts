import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { ask, at, base, reference, send } from './responses/testing.ts';
import { startReference } from './start.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64 };

test('listens in two regions', async () => {
  await using gateway = await reference();
  expect(gateway.regions.map(({ name }) => name)).toEqual(['eu', 'us']);
  expect(new Set(gateway.regions.map(({ baseUrl }) => baseUrl)).size).toBe(2);
  for (const region of [0, 1]) {
    expect((await ask(gateway, 'POST', path, good, { region })).status).toBe(200);
  }
  expect(gateway.requestCount()).toBe(2);
});

test('refuses every credential but its own', async () => {
  await using gateway = await reference();
  const { owner } = gateway.keys;
  const refused: Record<string, string>[] = [
    {},
    { authorization: owner },
    { authorization: `Basic ${owner}` },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer ts-key-owner-nobody' },
    { 'x-api-key': owner },
    { 'x-vendorB-api-key': owner },
  ];
  for (const query of ['', `?key=${owner}`, `?api_key=${owner}`]) {
    for (const headers of refused) {
      const answer = await fetch(base(gateway) + path + query, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(good),
      });
      const text = await answer.text();
      expect(answer.status).toBe(401);
      expect(at(JSON.parse(text), 'error.type')).toBe('invalid_request_error');
      expect(text).not.toContain(owner);
    }
  }
});

test('takes other secrets', async () => {
  await using gateway = await reference({ keys: { owner: 'canary' } });
  expect(gateway.keys.owner).toBe('canary');
  expect((await ask(gateway, 'POST', path, good)).status).toBe(200);
});

test('has further models, which can do what the ablest can', async () => {
  await using gateway = await reference({ models: ['my-model', 'ts-plain', 'my-model'] });
  const ids = gateway.models.map(({ id }) => id);
  expect(ids.filter((id) => !id.startsWith('ts-'))).toEqual(['acme/odd: name 1', 'my-model']);
  const asked = { input: 'Hello.', background: true };
  const status = async (model: string) =>
    (await ask(gateway, 'POST', '/v1/responses', { ...asked, model })).status;
  expect([await status('my-model'), await status('ts-plain')]).toEqual([200, 400]);
});

test('serves below a prefix, and only there', async () => {
  await using gateway = await reference({ pathPrefix: '/gateway/eu/' });
  expect(base(gateway)).toMatch(/\/gateway\/eu$/);
  expect((await ask(gateway, 'POST', path, good)).status).toBe(200);
  const outside = await fetch(new URL(path, base(gateway)), { method: 'POST' });
  expect(outside.status).toBe(404);
});

test('refuses unknown paths and wrong methods natively', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'GET', '/v1/nothing')).status).toBe(404);
  expect((await ask(gateway, 'GET', '/')).status).toBe(404);
  const put = await send(gateway, 'PUT', path, good);
  expect(put.status).toBe(405);
  expect(put.headers.get('allow')).toBe('POST, GET');
});

const malformed: readonly [what: string, body: string | Uint8Array][] = [
  ['no body', ''],
  ['JSON cut in the middle', '{"model":"ts-omni","inp'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['bytes that are no UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
];

test.each(malformed)('refuses %s', async (_what, body) => {
  await using gateway = await reference();
  const answer = await fetch(base(gateway) + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}` },
    body,
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect((await ask(gateway, 'POST', path, good)).status).toBe(200);
});

test('refuses a body over ten megabytes, and reads one that is just below', async () => {
  await using gateway = await reference();
  const input = 'word '.repeat((10 * 1024 * 1024) / 5 - 100);
  expect((await ask(gateway, 'POST', path, { ...good, input })).status).toBe(200);
  const over = await ask(gateway, 'POST', path, { ...good, input: `${input}${'x'.repeat(1000)}` });
  expect(over.status).toBe(413);
  expect((await ask(gateway, 'POST', path, good)).status).toBe(200);
});

test('survives a client that goes while it sends', async () => {
  await using gateway = await reference();
  const request = httpRequest(base(gateway) + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}`, 'content-length': '1000' },
  });
  const broken = new Promise((resolve) => request.once('error', resolve));
  request.write('{"model":');
  await new Promise((resolve) => request.once('finish', resolve).end());
  request.destroy();
  await broken;
  expect((await ask(gateway, 'POST', path, good)).status).toBe(200);
});

test('waits before each answer as it is told', async () => {
  await using gateway = await reference({ latencyMs: 50 });
  const started = performance.now();
  await ask(gateway, 'POST', path, good);
  expect(performance.now() - started).toBeGreaterThanOrEqual(49);
});

test('closes in the middle of a stream, and frees its port', async () => {
  const gateway = await startReference();
  const body = { ...good, stream: true, input: 'Write 4000 words.', max_output_tokens: 5000 };
  const answer = await send(gateway, 'POST', path, body);
  const rest = answer.text();
  await gateway.close();
  await expect(rest).rejects.toThrow();
  await expect(fetch(base(gateway))).rejects.toThrow();
});

test('a hundred gateways are there at once', async () => {
  const gateways = await Promise.all(Array.from({ length: 100 }, () => startReference()));
  expect(new Set(gateways.map((gateway) => base(gateway))).size).toBe(100);
  await Promise.all(gateways.map((gateway) => gateway.close()));
});
