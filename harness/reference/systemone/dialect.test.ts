import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { startReference } from '../start.ts';
import { bearer, post, type Received } from '../testing-requests.ts';

const gateway = await startReference({ regions: ['eu'] });
afterAll(() => gateway.close());

const questions = {
  wet: { type: 'noul', instructions: 'Does it rain?', criteria: { true: 'rain', false: 'none' } },
  take: { type: 'choice', criteria: { umbrella: 'against rain', nothing: null } },
  mood: { type: 'score', criteria: ['bad', 'fair', 'good'] },
};
const good = { model: 'ts-omni', state: { sky: 'grey' }, questions };

function url(): string {
  return `${gateway.regions[0]?.baseUrl}/v1/systemone`;
}

function create(body: Json, key = gateway.keys.owner, headers = {}): Promise<Received> {
  return post(url(), { ...bearer(key), ...headers }, body);
}

describe('refuses, with the native error,', () => {
  const { state: _, ...withoutState } = good;
  const asking = (question: Json) => ({ ...good, questions: { q: question } });
  const many = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`l${i}`, null]));
  test.for<[what: string, body: Json]>([
    ['a body without questions', { model: 'ts-omni', state: '' }],
    ['no questions', { ...good, questions: {} }],
    ['questions of a wrong type', { ...good, questions: 42 }],
    ['a question that is none', asking('wet?')],
    ['a question of an unknown type', asking({ type: 'constructor' })],
    ['a choice without labels', asking({ type: 'choice', criteria: {} })],
    ['a choice of too many labels', asking({ type: 'choice', criteria: many })],
    ['a score without levels', asking({ type: 'score' })],
    ['a body without state', withoutState],
    ['a state of a wrong type', { ...good, state: 42 }],
    ['a stream', { ...good, stream: true }],
    ['a body without model', { state: '', questions }],
    ['malformed JSON', '{"model": "ts-om'],
    ['an empty body', ''],
    ['a list', []],
  ])('%s', async ([, body]) => {
    const { status, json } = await create(body);
    expect(status).toBe(422);
    expect(json).toEqual({
      detail: [
        {
          type: expect.any(String),
          loc: expect.arrayContaining(['body']),
          msg: expect.any(String),
        },
      ],
    });
  });

  test('a state that is nested too deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const body = `{"model":"ts-omni","questions":${JSON.stringify(questions)},"state":${deep}}`;
    expect((await create(body)).status).toBe(422);
  });

  test('an unknown model, one that does not declare it, one that is not permitted', async () => {
    expect((await create({ ...good, model: 'nope' })).status).toBe(404);
    expect((await create({ ...good, model: 'ts-chat' })).status).toBe(400);
    const { status, json } = await create(good, gateway.keys.restricted);
    expect(status).toBe(403);
    expect(json).toEqual({
      detail: { error_type: 'unpermitted_model', message: expect.any(String) },
    });
  });
});
