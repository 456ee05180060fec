import { expect, test } from 'vitest';
import { ask, base, reference, send } from './responses/testing.ts';
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

test('refuses a body over ten megabytes, and reads one that is just below', async () => {
  await using gateway = await reference();
  const input = 'word '.repeat((10 * 1024 * 1024) / 5 - 100);
  expect((await ask(gateway, 'POST', path, { ...good, input })).status).toBe(200);
  const over = await ask(gateway, 'POST', path, { ...good, input: `${input}${'x'.repeat(1000)}` });
  expect(over.status).toBe(413);
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
