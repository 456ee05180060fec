import { afterAll, describe, expect, test } from 'vitest';
import { type ReferenceGateway, startReference } from './start.ts';
import { bearer, get, post } from './testing-requests.ts';

const names = { vendorA: 'anthropic', vendorB: 'goog' };
const gateway = await startReference({ regions: ['eu'], isMock: true, names });
const base = gateway.regions[0]?.baseUrl ?? '';
const key = gateway.keys.owner;
afterAll(() => gateway.close());

const said = { max_tokens: 20, messages: [{ role: 'user', content: 'Say something.' }] };
const version = { 'anthropic-version': '2023-06-01' };

test.for([
  [
    '/chat/completions',
    'There is POST /v1/chat/completions: the base URL of this client ends with /v1.',
  ],
  ['/v1/v1/messages', 'There is POST /v1/messages: the base URL of this client ends before /v1.'],
  ['/v1/chat/completions', 'GET /v1/models lists those of this mock'],
] as const)('%s is refused with what to do next', async ([path, told]) => {
  const asked = { model: 'gpt-nothing', ...said };
  const { status, json } = await post(base + path, { ...bearer(key), ...version }, asked);
  expect([status, JSON.stringify(json)]).toEqual([404, expect.stringContaining(told)]);
});

describe('pages of other origins', () => {
  test('may ask, and read the answer', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const asked = await fetch(`${base}/v1/responses`, { method: 'OPTIONS', headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    const { origin } = headers;
    const answer = await fetch(`${base}/v1/models`, { headers: { ...bearer(key), origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.status).toBe(200);
  });

  test('are not known to a gateway that is judged', async () => {
    await using strict = await closing(await startReference({ regions: ['eu'] }));
    const url = `${strict.regions[0]?.baseUrl}/v1/models`;
    const origin = 'https://page.example';
    expect((await fetch(url, { method: 'OPTIONS', headers: { origin } })).status).toBe(405);
    const answer = await fetch(url, { headers: { ...bearer(strict.keys.owner), origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

async function closing(one: ReferenceGateway) {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() });
}

test('the list is had with the key in any header, and as that client reads it', async () => {
  const list = async (headers: Record<string, string>) =>
    Object((await get(`${base}/v1/models`, headers)).json);
  expect((await list(bearer(key))).data[0]).toMatchObject({ object: 'model' });
  expect((await list({ 'x-api-key': key })).data[0]).toMatchObject({ object: 'model' });
  expect(await list({ 'x-api-key': key, ...version })).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ type: 'model', id: 'ts-omni' })]),
    has_more: false,
  });
  expect((await list({ 'x-goog-api-key': key })).models[0].name).toMatch(/^models\//);
  expect((await get(`${base}/v1/models`)).status).toBe(401);
});

test('the own header decides where both are sent', async () => {
  const url = `${base}/v1/messages`;
  const body = { model: 'ts-omni', ...said };
  expect((await post(url, { ...bearer(key), ...version }, body)).status).toBe(200);
  const both = { ...bearer(key), 'x-api-key': 'no-key', ...version };
  expect((await post(url, both, body)).status).toBe(401);
});

test('one model is had by its id, encoded or not', async () => {
  const odd = gateway.models.find(({ id }) => id.includes('/'))?.id ?? 'no id with a slash';
  for (const id of ['ts-omni', odd]) {
    for (const path of [encodeURIComponent(id), encodeURI(id)]) {
      const one = await get(`${base}/v1/models/${path}`, bearer(key));
      expect([one.status, Object(one.json).id]).toEqual([200, id]);
    }
    const catalog = await get(`${base}/v1beta/models/${encodeURI(id)}`, { 'x-goog-api-key': key });
    const isThere = gateway.models.some(
      (model) => model.id === id && model.protocols.includes('vendorB'),
    );
    expect(catalog.status).toBe(isThere ? 200 : 404);
    if (!isThere) continue;
    const url = `${base}/v1beta/models/${encodeURI(id)}:generateContent`;
    const body = { contents: [{ parts: [{ text: 'Say something.' }] }] };
    expect((await post(url, { 'x-goog-api-key': key }, body)).status).toBe(200);
  }
  expect((await get(`${base}/v1/models/none`, bearer(key))).status).toBe(404);
  const method = await get(`${base}/v1/models/ts-omni:generateContent`, { 'x-goog-api-key': key });
  expect(method.status).toBe(405);
});
