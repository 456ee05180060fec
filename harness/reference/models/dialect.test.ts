import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferenceGateway, startReference } from '../start.ts';
import { bearer, get } from '../testing-requests.ts';

let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'] });
});
afterAll(() => gateway.close());

function url(path: string): string {
  return `${gateway.regions[0]?.baseUrl}${path}`;
}

function vendorB(key: string): Record<string, string> {
  return { 'x-vendorB-api-key': key };
}

const permitted = (role: 'owner' | 'restricted') =>
  gateway.models.filter((model) => model.permitted.includes(role));

describe('the list', () => {
  test.for(['owner', 'restricted'] as const)('has what the %s key may use', async (role) => {
    const { status, json } = await get(url('/v1/models'), bearer(gateway.keys[role]));
    expect(status).toBe(200);
    expect(json).toEqual({
      object: 'list',
      data: permitted(role).map(({ id }) => ({
        id,
        object: 'model',
        created: expect.any(Number),
        owned_by: 'touchstone',
      })),
    });
  });

  test('refuses other credentials', async () => {
    const { owner } = gateway.keys;
    for (const headers of [{}, vendorB(owner), { 'x-api-key': owner }, bearer('ts-key-unknown')]) {
      const { status, json } = await get(url('/v1/models'), headers);
      expect(status).toBe(401);
      expect(json).toMatchObject({ error: { type: 'invalid_request_error' } });
    }
    expect((await get(url(`/v1/models?key=${owner}`))).status).toBe(401);
  });
});

describe('the catalog', () => {
  test.for(['owner', 'restricted'] as const)('has what the %s key may use', async (role) => {
    const { status, json } = await get(url('/v1beta/models'), vendorB(gateway.keys[role]));
    expect(status).toBe(200);
    const declared = permitted(role).filter(({ protocols }) => protocols.includes('vendorB'));
    expect(Object(json).models.map(({ name }: { name: string }) => name)).toEqual(
      declared.map(({ id }) => `models/${id}`),
    );
    expect(json).not.toHaveProperty('nextPageToken');
  });

  test('says what the channel of a model can do', async () => {
    const { json } = await get(url('/v1beta/models'), vendorB(gateway.keys.owner));
    const methods = new Map(
      Object(json).models.map((model: Record<string, unknown>) => [
        model.name,
        model.supportedGenerationMethods,
      ]),
    );
    expect(methods.get('models/ts-plain')).toEqual(['generateContent']);
    expect(methods.get('models/ts-omni')).toEqual([
      'generateContent',
      'streamGenerateContent',
      'countTokens',
    ]);
  });

  test.for([1, 2, 1000])('by pages of %i has every model once', async (pageSize) => {
    const key = vendorB(gateway.keys.owner);
    const whole = Object((await get(url('/v1beta/models'), key)).json).models;
    const models: unknown[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page: { models: unknown[]; nextPageToken?: string } = Object(
        (await get(url(`/v1beta/models?pageSize=${pageSize}&pageToken=${token}`), key)).json,
      );
      expect(page.models.length).toBeLessThanOrEqual(pageSize);
      models.push(...page.models);
      token = page.nextPageToken;
    }
    expect(models).toEqual(whole);
  });

  test.for(['pageSize=-1', 'pageSize=x', 'pageToken=x'])('refuses %s', async (query) => {
    const { json } = await get(url(`/v1beta/models?${query}`), vendorB(gateway.keys.owner));
    expect(json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });

  test('refuses other credentials', async () => {
    const { owner } = gateway.keys;
    for (const headers of [{}, bearer(owner), { 'x-api-key': owner }]) {
      expect((await get(url('/v1beta/models'), headers)).status).toBe(403);
    }
  });
});
