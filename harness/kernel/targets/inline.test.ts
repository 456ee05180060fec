import { expect, test } from 'vitest';
import { inlineTarget } from './inline.ts';

const environment = { TOUCHSTONE_KEY: 'canary-key-1', TOUCHSTONE_KEY_OTHER_USER: 'canary-key-2' };

test('a target of one region, with what is known of its models', () => {
  const target = inlineTarget(
    { baseUrl: 'https://host.example:8443/', models: ['a', 'b'], protocols: ['chat', 'vendorB'] },
    environment,
  );
  expect(target).toMatchObject({
    name: 'host.example:8443',
    regions: [{ name: 'default', baseUrl: 'https://host.example:8443' }],
    keys: { owner: 'canary-key-1', otherUser: 'canary-key-2' },
  });
  expect(target.models.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(target.models[0]?.protocols).toEqual(['chat-completions', 'generative']);
});

test('a model declares the Responses protocol unless more is said', () => {
  const target = inlineTarget({ baseUrl: 'http://h', models: ['a'] }, environment);
  expect(target.models[0]).toEqual({
    id: 'a',
    protocols: ['responses'],
    supports: [],
    lacks: [],
    permitted: null,
    deterministic: false,
  });
});

test('tells which option or variable is wrong, all at once', () => {
  expect(() =>
    inlineTarget({ baseUrl: 'host', models: ['a', 'a'], protocols: ['chatt'] }, {}),
  ).toThrow(
    [
      'the command line has 5 problems:',
      '',
      'the environment  TOUCHSTONE_KEY',
      '  TOUCHSTONE_KEY is not set: it holds the key to call the gateway with. Set it first: ' +
        "export TOUCHSTONE_KEY='<the key>'; or TOUCHSTONE_KEY=none where the gateway takes no keys",
      '',
      'the command line  --base-url',
      '  "host" is not an http:// or https:// address.',
    ].join('\n'),
  );
});

test('a key that cannot be masked is refused, by the name of its variable', () => {
  const environment = { TOUCHSTONE_KEY: 'canary' };
  expect(() => inlineTarget({ baseUrl: 'http://h', models: ['a'] }, environment)).toThrow(
    'the command line  TOUCHSTONE_KEY\n  The key has 6 characters.',
  );
});

test('headers, with the values of their variables; what is typed and is a secret becomes one', () => {
  const environment = { TOUCHSTONE_KEY: 'none', WAF: 'canary-token' };
  const headers = { 'x-waf': `\${WAF}`, 'x-tenant': 'acme', cookie: 'canary-cookie' };
  const target = inlineTarget({ baseUrl: 'http://h', models: ['a'], headers }, environment);
  expect(target.keys).toEqual({});
  expect(target.headers).toEqual({
    'x-waf': `\${WAF}`,
    'x-tenant': 'acme',
    cookie: `\${TOUCHSTONE_HEADER_COOKIE}`,
  });
  expect(target.variables).toEqual({
    WAF: 'canary-token',
    TOUCHSTONE_HEADER_COOKIE: 'canary-cookie',
  });
  expect(() =>
    inlineTarget(
      { baseUrl: 'http://h', models: ['a'], headers: { host: `\${NONE}` } },
      environment,
    ),
  ).toThrow(/NONE is not set: a --header names it[\s\S]*--header\s+The header `host` is what/);
});
