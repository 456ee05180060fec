import { describe, expect, test } from 'vitest';
import { messageOf } from '../core/index.ts';
import { readTarget } from './load.ts';

const environment = { KEY: 'canary-key-of-the-owner', KEY_P: 'canary-key-of-the-provider' };

const keyOfProvider = `"\${KEY_P}"`;
const good = `
regions: [{ name: eu, baseUrl: http://127.0.0.1:1 }]
keys: { owner: "\${KEY}" }
models: [{ id: ts-chat, protocols: [chat] }]
providers:
  listen: [{ name: a, at: 127.0.0.1:9101 }]
  keys: { a: ${keyOfProvider} }
  routes: [{ model: ts-chat, asks: vendorA-messages, as: prov-x, at: [a] }]
gateway:
  retries: [{ on: ["429", refused], times: 2 }]
  fallback: { on: ["503"] }
  adds: [system]
  drops: [seed]
`;

function problemOf(text: string): string {
  try {
    readTarget(text, 'x.yaml', environment);
  } catch (error) {
    return messageOf(error);
  }
  return 'none';
}

test('providers and declared behaviour are read as they are written', () => {
  const { providers, gateway } = readTarget(good, 'x.yaml', environment);
  expect(providers).toEqual({
    listen: [{ name: 'a', at: '127.0.0.1:9101' }],
    keys: { a: 'canary-key-of-the-provider' },
    routes: [{ model: 'ts-chat', asks: 'messages', as: 'prov-x', at: ['a'] }],
  });
  expect(gateway).toEqual({
    retries: [{ on: ['429', 'refused'], times: 2 }],
    fallback: { on: ['503'] },
    adds: ['system'],
    drops: ['seed'],
  });
});

test('a file without providers has no such member', () => {
  const plain = good.slice(0, good.indexOf('providers:'));
  expect(Object.keys(readTarget(plain, 'x.yaml', environment))).not.toContain('providers');
});

describe('a retry that could send a generation twice cannot be declared', () => {
  test.each(['reset', 'no-answer', 'timeout', '5xx', 'stall'])('%s', (reason) => {
    const retried = problemOf(good.replace('"429", refused', reason));
    expect(retried).toContain('does not prove that the request was not executed');
    expect(retried).toContain('(INT-3)');
    expect(problemOf(good.replace('["503"]', `[${reason}]`))).toContain('(INT-3)');
  });
});

test.each([
  ['a listener without a key', ['keys: { a:', 'keys: { b:'], 'No key is given for this listener'],
  ['an unknown listener', ['at: [a]', 'at: [z]'], 'No listener is named "z".'],
  ['an unknown model', ['model: ts-chat', 'model: ts-chad'], 'No model is named "ts-chad".'],
  [
    'a protocol without a provider',
    ['asks: vendorA-messages', 'asks: responses'],
    'plays no provider of "responses"',
  ],
  [
    'one key for both sides',
    [keyOfProvider, keyOfProvider.replace('_P', '')],
    'the same key as `keys.owner`',
  ],
  ['a key that cannot be masked', [keyOfProvider, 'short'], 'cannot be masked'],
  ['an address without a port', ['127.0.0.1:9101', '127.0.0.1'], 'providers.listen[0].at'],
] as const)('%s is a problem', (_, [from, to], said) => {
  const problem = problemOf(good.replace(from, to));
  expect(problem).toContain(said);
  expect(problem).not.toContain('canary');
});

test('a gateway that passes on the key of its client says so', () => {
  const { providers } = readTarget(good.replace(keyOfProvider, 'client'), 'x.yaml', environment);
  expect(providers?.keys).toEqual({ a: 'client' });
});
