import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { fixture } from '../core/package-root.ts';
import { loadTarget, readTarget } from './load.ts';
import { TargetError } from './target-error.ts';
import { capabilityIdentifiers, protocolIdentifiers } from './vocabulary.ts';

const environment = {
  KEY: 'canary-key-of-the-owner',
  KEY_B: 'canary-key-of-another',
  SHORT: 'tiny',
};

const good = `
regions:
  - { name: eu, baseUrl: https://eu.example/prefix/ }
keys:
  owner: \${KEY}
models:
  - { id: m-1, protocols: [responses] }
`;

test('a short file gets every default', () => {
  expect(readTarget(good, 'dir/staging.yaml', environment)).toEqual({
    name: 'staging',
    regions: [{ name: 'eu', baseUrl: 'https://eu.example/prefix' }],
    singleRegion: false,
    singleUser: false,
    oneKeyPerUser: false,
    noPermissions: false,
    withoutStorage: false,
    identity: 'ordinary',
    withoutProbes: false,
    names: { vendorA: 'vendorA', vendorB: 'vendorB' },
    versionDate: '2023-06-01',
    credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer' },
    acceptsAlso: { responses: [], messages: [], generative: [] },
    thorough: false,
    retentionDays: 30,
    systemone: { dialect: 'public', body: null },
    headers: {},
    protocols: {},
    variables: {},
    probeHeaders: {},
    keys: { owner: 'canary-key-of-the-owner' },
    models: [
      {
        id: 'm-1',
        protocols: ['responses'],
        supports: [],
        lacks: [],
        permitted: null,
        deterministic: false,
      },
    ],
    probes: { ledger: [], clock: [] },
    limits: {
      concurrency: 8,
      requestsPerSecond: 20,
      hostilePerSecond: 5,
      mostRequestsPerSecond: 160,
      mostHostilePerSecond: 80,
      timeoutMs: 60_000,
      maxOutputTokens: 16,
      longRunTokens: 1536,
      patienceMs: 30_000,
      consistencyMs: 2_000,
    },
  });
});

test('a full file is read as it says', () => {
  const target = readTarget(
    `
$schema: ./target.schema.json
name: staging of \${KEY_B}
regions: [{ name: eu, baseUrl: https://eu.example }, { name: us, baseUrl: "https://us.example" }]
names: { vendorA: acme, vendorB: globex }
versionDate: 2024-01-31
credentials: { chat: x-chat-key }
retentionDays: 7
systemone: { body: { prompt: hello } }
keys: { owner: "\${KEY}", otherUser: "\${KEY_B}" }
models:
  - id: m-1
    protocols: [responses, acme-messages, globex, chat, systemone]
    supports: [stream, background, globex-count]
    lacks: [stream:acme-messages, tools]
    permitted: [owner, restricted]
    deterministic: true
  - { id: m-2, protocols: [vendorA-messages, vendorB], lacks: [stream] }
probes: { ledger: { url: http://one }, clock: { url: [http://one, http://two] } }
limits: { requestsPerSecond: null, timeoutMs: 5000 }
`,
    'x.yml',
    environment,
  );
  expect(target).toMatchObject({
    name: 'staging of canary-key-of-another',
    names: { vendorA: 'acme', vendorB: 'globex' },
    versionDate: '2024-01-31',
    credentials: { chat: 'x-chat-key', systemone: 'bearer', models: 'bearer' },
    retentionDays: 7,
    systemone: { dialect: 'custom', body: { prompt: 'hello' } },
    keys: { owner: 'canary-key-of-the-owner', otherUser: 'canary-key-of-another' },
    probes: { ledger: ['http://one'], clock: ['http://one', 'http://two'] },
    limits: { concurrency: 8, requestsPerSecond: null, timeoutMs: 5000 },
  });
  // A rate that the file sets does not grow.
  expect(target.limits).not.toHaveProperty('mostRequestsPerSecond');
  expect(target.limits).toHaveProperty('mostHostilePerSecond');
  expect(target.models).toEqual([
    {
      id: 'm-1',
      protocols: ['responses', 'messages', 'generative', 'chat-completions', 'systemone'],
      supports: [
        'stream:responses',
        'stream:chat-completions',
        'stream:generative',
        'background',
        'vendorB-count',
      ],
      lacks: ['stream:messages', 'tools'],
      permitted: ['owner', 'restricted'],
      deterministic: true,
    },
    {
      id: 'm-2',
      protocols: ['messages', 'generative'],
      supports: [],
      lacks: ['stream:messages', 'stream:generative'],
      permitted: null,
      deterministic: false,
    },
  ]);
});

test('what can be asked for is said of each protocol that documents it', () => {
  const read = (lists: string): unknown => {
    const protocols = '[responses, chat, vendorA-messages, vendorB]';
    const models = `models: [{ id: m-1, protocols: ${protocols}, ${lists} }]`;
    const [model] = readTarget(good.replace(/models:.*$/s, models), 'x.yml', environment).models;
    return { supports: model?.supports, lacks: model?.lacks };
  };
  expect(read('supports: [stop], lacks: [stop:vendorB, candidates]')).toEqual({
    supports: ['stop:chat-completions', 'stop:messages'],
    lacks: ['stop:generative', 'candidates:chat-completions', 'candidates:generative'],
  });
  expect(read('lacks: [logprobs], supports: [logprobs:chat]')).toEqual({
    supports: ['logprobs:chat-completions'],
    lacks: ['logprobs:responses', 'logprobs:generative'],
  });
});

test('the message names the file and each place in it', () => {
  const read = (): unknown => readTarget(good.replace('m-1', '""'), 'dir/bad.yaml', environment);
  expect(read).toThrow(
    new TargetError('dir/bad.yaml', [
      { place: { line: 7, column: 11 }, field: 'models[0].id', message: 'This is empty.' },
    ]),
  );
  expect(read).toThrow(
    'dir/bad.yaml has a problem:\n\ndir/bad.yaml:7:11  models[0].id\n  This is empty.',
  );
});

test('an anchor may stand for what is written once', () => {
  const reused = good.replace(
    '[responses] }',
    '&all [responses, chat] }\n  - { id: m-2, protocols: *all }',
  );
  expect(readTarget(reused, 'a.yaml', environment).models[1]?.protocols).toEqual([
    'responses',
    'chat-completions',
  ]);
});

describe('the published schema', () => {
  const schema = JSON.parse(readFileSync(fixture('target.schema.json'), 'utf8'));

  test('tells the defaults that are really filled in', () => {
    const target: Record<string, unknown> = { ...readTarget(good, 'x.yaml', environment) };
    const told = (properties: Record<string, { default?: unknown }>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(properties)
          .filter(([, field]) => field.default !== undefined)
          .map(([name, field]) => [name, field.default]),
      );
    for (const section of ['names', 'credentials', 'systemone', 'limits']) {
      const defaults = told(schema.properties[section].properties);
      expect(Object.keys(defaults), section).not.toEqual([]);
      expect(target[section], section).toMatchObject(defaults);
    }
    expect(target).toMatchObject(told(schema.properties));
  });

  test('offers every protocol and capability to editors', () => {
    const { protocols } = schema.properties.models.items.properties;
    expect([...protocols.items.examples].sort()).toEqual([...protocolIdentifiers].sort());
    expect([...schema.$defs.capability.examples].sort()).toEqual([...capabilityIdentifiers].sort());
  });

  test('has a description for every field', () => {
    const bare: string[] = [];
    const look = (node: Record<string, unknown>, path: string): void => {
      for (const [name, field] of Object.entries(Object(node.properties))) {
        const value = Object(field);
        if (value.description === undefined && value.$ref === undefined)
          bare.push(`${path}.${name}`);
        look(value, `${path}.${name}`);
        look(Object(value.items), `${path}.${name}[]`);
      }
    };
    look(schema, '');
    expect(bare).toEqual([]);
  });
});

test('a file that cannot be read', () => {
  const folder = temporaryFolder();
  expect(() => loadTarget(join(folder, 'none.yaml'))).toThrow('There is no such file');
  expect(() => loadTarget(folder)).toThrow('This is a folder');
  writeFileSync(join(folder, 'good.yaml'), good);
  expect(loadTarget(join(folder, 'good.yaml'), environment).name).toBe('good');
});
