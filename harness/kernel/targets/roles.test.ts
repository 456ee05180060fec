import { describe, expect, test } from 'vitest';
import type { Capability } from '../core/capability.ts';
import { findModel, given } from './roles.ts';
import type { Model, Target } from './target.ts';

function model(id: string, fields: Partial<Model> = {}): Model {
  return {
    id,
    protocols: ['responses'],
    supports: [],
    lacks: [],
    permitted: null,
    deterministic: false,
    ...fields,
  };
}

function target(models: Model[], fields: Partial<Target> = {}): Target {
  return {
    name: 'test',
    regions: [{ name: 'eu', baseUrl: 'http://127.0.0.1:1' }],
    singleRegion: false,
    identity: 'ordinary',
    names: { vendorA: 'vendorA', vendorB: 'vendorB' },
    versionDate: '2023-06-01',
    credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer' },
    acceptsAlso: { responses: [], messages: [], generative: [] },
    headers: {},
    protocols: {},
    variables: {},
    probeHeaders: {},
    retentionDays: 30,
    thorough: false,
    systemone: { dialect: 'public', body: null },
    keys: { owner: 'owner-key-1' },
    models,
    probes: { ledger: [], clock: [] },
    limits: {
      concurrency: 8,
      requestsPerSecond: null,
      timeoutMs: 1000,
      maxOutputTokens: 16,
      longRunTokens: 1536,
      patienceMs: 1000,
      consistencyMs: 0,
      hostilePerSecond: null,
    },
    ...fields,
  };
}

describe('findModel', () => {
  test('takes the first model of the file that fits', () => {
    const models = [
      model('chat', { protocols: ['chat-completions'] }),
      model('first', { supports: ['background'] }),
      model('second', { supports: ['background'] }),
    ];
    expect(findModel(target(models), { supports: ['background'] })).toEqual({
      kind: 'found',
      model: models[1],
    });
  });

  test('a protocol that no model declares is not applicable', () => {
    expect(findModel(target([model('m')]), { speaks: 'messages' })).toEqual({
      kind: 'not-applicable',
      reason: 'no model declares `vendorA-messages`',
      gap: { kind: 'protocol', names: ['vendorA-messages'] },
    });
  });

  test('a model of which the file says neither', () => {
    const role = { undeclared: ['websocket'] } as const;
    const says = [model('a', { supports: ['websocket'] }), model('b', { lacks: ['websocket'] })];
    expect(findModel(target(says), role)).toEqual({
      kind: 'not-applicable',
      reason: 'every model declares this capability',
    });
    const silent = model('c', { supports: ['background'] });
    expect(findModel(target([...says, silent]), role)).toEqual({ kind: 'found', model: silent });
    const elsewhere = model('d', { protocols: ['messages'] });
    expect(findModel(target([...says, elsewhere]), role).kind).toBe('not-applicable');
  });

  test('a capability implies its protocol', () => {
    expect(findModel(target([model('m')]), { supports: ['vendorB-count'] })).toEqual({
      kind: 'not-applicable',
      reason: 'no model declares `vendorB`',
      gap: { kind: 'protocol', names: ['vendorB'] },
    });
  });

  test('a protocol that every model declares cannot be missing', () => {
    expect(findModel(target([model('m')]), { notSpeaks: 'responses' })).toEqual({
      kind: 'not-applicable',
      reason: 'every model declares `responses`',
    });
  });

  test('what all models lack is not applicable', () => {
    const models = [model('a', { lacks: ['compact'] }), model('b', { lacks: ['compact'] })];
    expect(findModel(target(models), { speaks: 'responses', supports: ['compact'] })).toEqual({
      kind: 'not-applicable',
      reason: 'no model supports `compact` among those that declare `responses`',
      gap: { kind: 'capability', names: ['compact'] },
    });
  });

  test('what all models support cannot be lacking', () => {
    const models = [model('a', { supports: ['compact'] })];
    expect(findModel(target(models), { lacks: ['compact'] })).toEqual({
      kind: 'not-applicable',
      reason: 'no model lacks `compact`',
    });
  });

  test('what one model does not say is untestable, and the reason says what to add', () => {
    const models = [model('a', { lacks: ['stream:responses'] }), model('b')];
    expect(findModel(target(models), { supports: ['stream:responses'] })).toEqual({
      kind: 'untestable',
      reason: 'declare in the target file whether `b` supports or lacks `stream:responses`',
      gap: { kind: 'capability', names: ['stream:responses'] },
    });
  });

  test('names only the capabilities that are unknown', () => {
    const models = [model('a', { supports: ['background'] })];
    expect(findModel(target(models), { supports: ['background', 'stream:responses'] })).toEqual({
      kind: 'untestable',
      reason: 'declare in the target file whether `a` supports or lacks `stream:responses`',
      gap: { kind: 'capability', names: ['stream:responses'] },
    });
  });

  test('says the same of the same capabilities, however a role names them', () => {
    const asked = (...supports: Capability[]) => findModel(target([model('a')]), { supports });
    expect(asked('stream:responses', 'background', 'background')).toEqual(
      asked('background', 'stream:responses'),
    );
  });

  test('a model that the owner may not use plays no role', () => {
    const models = [model('a', { permitted: ['otherUser'] })];
    expect(findModel(target(models), {}).kind).toBe('untestable');
  });

  test('finds a model by who may and who may not use it', () => {
    const shared = model('shared', { permitted: ['owner', 'restricted'] });
    const models = [model('m'), shared];
    const found = (role: Parameters<typeof findModel>[1]): unknown => {
      const answer = findModel(target(models), role);
      return answer.kind === 'found' ? answer.model.id : answer.reason;
    };
    expect(found({ permittedFor: 'restricted' })).toBe('shared');
    expect(found({ notPermittedFor: 'restricted' })).toBe('m');
    expect(found({ permittedFor: 'sameUser' })).toBe('m');
    expect(found({ notPermittedFor: 'owner' })).toBe(
      'every one of `m` and `shared` is permitted for `keys.owner`: ' +
        'add a model that this key may not use',
    );
  });

  test('without a permitted model it says which list to extend', () => {
    expect(findModel(target([model('m')]), { permittedFor: 'restricted' })).toEqual({
      kind: 'untestable',
      reason:
        'add `restricted` to `permitted` of one of `m`: ' +
        'a model that both the owner and `keys.restricted` may use is needed',
      gap: { kind: 'permission', names: ['restricted'] },
    });
  });

  describe('a capability that only models of other keys have', () => {
    const open = model('open', { permitted: ['owner', 'restricted'], lacks: ['compact'] });
    const able = (id: string) => model(id, { supports: ['compact'] });
    const role = { speaks: 'responses', supports: ['compact'] } as const;

    test('cannot be tried by anyone where one model has it', () => {
      for (const models of [
        [open, able('a')],
        [open, model('a')],
      ]) {
        expect(findModel(target(models), { ...role, permittedFor: 'restricted' })).toEqual({
          kind: 'not-applicable',
          reason:
            'no model that `keys.restricted` may use supports `compact` among those that declare `responses`',
        });
      }
      const only = { ...able('a'), permitted: ['owner', 'restricted'] as const };
      const bare = model('bare', { lacks: ['compact'] });
      expect(findModel(target([only, bare]), { ...role, notPermittedFor: 'restricted' })).toEqual({
        kind: 'not-applicable',
        reason:
          'no model that `keys.restricted` may not use supports `compact` among those that declare `responses`',
      });
    });

    test('is untestable where two have it, or one that may', () => {
      const reason = (models: Model[], whom: Partial<Parameters<typeof findModel>[1]>) => {
        const found = findModel(target(models), { supports: ['compact'], ...whom });
        expect(found.kind).toBe('untestable');
        return 'reason' in found ? found.reason : '';
      };
      const may = { permittedFor: 'restricted' } as const;
      expect(reason([open, able('a'), able('b')], may)).toBe(
        'no model that `keys.restricted` may use supports `compact`: add `restricted` to ' +
          '`permitted` of one of `a` and `b`, and give a key that may use it',
      );
      expect(reason([open, able('a'), model('b')], may)).toBe(
        'no model that `keys.restricted` may use supports `compact`: ' +
          'declare in the target file whether `b` does',
      );
      const shared = [able('a'), able('b')].map((one) => ({
        ...one,
        permitted: ['owner', 'restricted'] as const,
      }));
      const bare = model('bare', { lacks: ['compact'] });
      expect(reason([...shared, bare], { notPermittedFor: 'restricted' })).toBe(
        'no model that `keys.restricted` may not use supports `compact`: leave `restricted` out ' +
          'of `permitted` of one of `a` and `b`, and give a key that may not use it',
      );
    });

    test('is not offered where none has it', () => {
      const found = findModel(target([open, model('a', { lacks: ['compact'] })]), {
        ...role,
        permittedFor: 'restricted',
      });
      expect(found).toEqual({
        kind: 'not-applicable',
        reason: 'no model supports `compact` among those that declare `responses`',
      });
    });
  });

  test('finds a model by its id', () => {
    const models = [model('plain'), model('acme/odd')];
    expect(findModel(target(models), { specialId: true })).toEqual({
      kind: 'found',
      model: models[1],
    });
    expect(findModel(target([model('plain')]), { specialId: true }).kind).toBe('not-applicable');
  });
});

test('keys, regions and probes that are not given are untestable, with what to add', () => {
  const bare = target([model('m')]);
  expect(given.key(bare, 'owner')).toEqual({ kind: 'found' });
  expect(given.regions(bare, 1)).toEqual({ kind: 'found' });
  expect(given.key(bare, 'otherUser')).toEqual({
    kind: 'untestable',
    reason:
      'add `keys.otherUser` to the target file: a key of another user; or say `singleUser: true` where there is none',
    gap: { kind: 'key', names: ['otherUser'] },
  });
  expect(given.regions(bare, 2)).toEqual({
    kind: 'untestable',
    reason:
      'add a second region under `regions` of the target file, which names 1; ' +
      'or say `singleRegion: true` where there is no other',
    gap: { kind: 'region', names: [] },
  });
  expect(given.regions({ ...bare, singleRegion: true }, 2)).toEqual({
    kind: 'not-applicable',
    reason: 'the gateway has a single region',
    restriction: 'single-region',
  });
  const small = { ...bare, singleUser: true, oneKeyPerUser: true };
  for (const [key, restriction] of [
    ['otherUser', 'single-user'],
    ['sameUser', 'one-key-per-user'],
    ['restricted', 'one-key-per-user'],
  ] as const) {
    expect(given.key(small, key)).toMatchObject({ kind: 'not-applicable', restriction });
  }
  expect(given.key({ ...bare, noPermissions: true }, 'restricted')).toEqual({
    kind: 'not-applicable',
    reason: 'the gateway has no such key: `noPermissions`',
    restriction: 'no-permissions',
  });
  expect(given.probe(bare, 'ledger')).toEqual({
    kind: 'untestable',
    reason:
      'add `probes.ledger.url` to the target file: ' +
      'an endpoint that shows what was recorded and charged for a request; or say `withoutProbes: true` where there is none',
    gap: { kind: 'probe', names: ['ledger'] },
  });
  const probed = target([model('m')], { probes: { ledger: ['http://l'], clock: [] } });
  expect(given.probe(probed, 'ledger')).toEqual({ kind: 'found' });
});
