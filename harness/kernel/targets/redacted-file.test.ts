import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { readTarget } from './load.ts';
import { redactedTargetFile } from './redacted-file.ts';
import { describeReference } from './reference.ts';
import type { Target } from './target.ts';

const environment = {
  TOUCHSTONE_KEY: 'canary-owner-key',
  TOUCHSTONE_KEY_SAME_USER: 'canary-same-key',
  TOUCHSTONE_KEY_OTHER_USER: 'canary-other-key',
  TOUCHSTONE_KEY_RESTRICTED: 'canary-restricted-key',
  WAF: 'canary-firewall',
};
const keys = {
  owner: environment.TOUCHSTONE_KEY,
  sameUser: environment.TOUCHSTONE_KEY_SAME_USER,
  otherUser: environment.TOUCHSTONE_KEY_OTHER_USER,
  restricted: environment.TOUCHSTONE_KEY_RESTRICTED,
};

test('a target comes back from its file as it was, once the keys are in the environment', async () => {
  const gateway = await startReference({ keys });
  onTestFinished(() => gateway.close());
  const target = describeReference(gateway, undefined);
  const text = redactedTargetFile(target);
  expect(text).not.toMatch(/canary/);
  expect(readTarget(text, 'target.yaml', environment)).toEqual(target);
});

test('so does one that has little, and one that has all that can be said', () => {
  const little: Target = readTarget(
    'regions: [{ name: here, baseUrl: "http://127.0.0.1:1/prefix" }]\n' +
      'keys: { owner: canary-owner-key }\nmodels: [{ id: "a: b", protocols: [chat] }]\n',
    'little.yaml',
    {},
  );
  const much: Target = {
    ...little,
    regions: [
      {
        name: 'eu',
        baseUrl: 'https://eu.example',
        headers: { 'x-tenant': 'acme' },
        protocols: { models: { baseUrl: '/lists' } },
      },
    ],
    headers: { 'x-waf': `a \${WAF}` },
    protocols: { generative: { headers: { 'x-tenant': 'other' } } },
    probeHeaders: { 'x-probe': `\${WAF}` },
    variables: { WAF: environment.WAF },
    name: 'a "name": of #many parts',
    names: { vendorA: 'acme', vendorB: 'bolt' },
    versionDate: '2024-01-02',
    credentials: { chat: 'x-chat-key', systemone: 'bearer', models: 'x-list-key' },
    systemone: { dialect: 'custom', body: { question: ['what', 1, null] } },
    keys,
    models: [
      {
        id: 'm-1',
        protocols: ['responses', 'messages', 'generative'],
        supports: ['background', 'stream:messages', 'vendorB-count'],
        lacks: ['stream:responses', 'count_tokens'],
        permitted: ['owner', 'restricted'],
        deterministic: true,
      },
    ],
    probes: { ledger: ['http://127.0.0.1:2/a?b=c'], clock: [] },
    limits: { ...little.limits, requestsPerSecond: null, concurrency: 3 },
  };
  const open: Target = { ...little, keys: {} };
  for (const target of [little, much, open]) {
    expect(redactedTargetFile(target)).not.toMatch(/canary/);
    expect(readTarget(redactedTargetFile(target), 'target.yaml', environment)).toEqual(target);
  }
});

test('what TLS needs comes back as it is named, and nothing of its files', () => {
  const text =
    'regions: [{ name: here, baseUrl: "https://a.example", tls: { ca: ca.pem } }]\n' +
    `tls: { certificate: me.pem, key: me.key, passphrase: "\${WAF}" }\n` +
    'keys: none\nmodels: [{ id: m, protocols: [chat], regions: [here] }]\n';
  const target = readTarget(text, 'tls.yaml', environment, { needsFiles: false });
  const again = redactedTargetFile({ ...target, proxies: { https: 'me:canary@p', except: [] } });
  expect(again).not.toMatch(/canary/);
  expect(readTarget(again, 'target.yaml', environment, { needsFiles: false })).toEqual(target);
});
