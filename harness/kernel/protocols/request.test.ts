import { expect, test } from 'vitest';
import { formatId } from '../core/exchange-id.ts';
import { idFrom } from '../core/testing.ts';
import { curlLine } from '../wire/curl.ts';
import { sentRequest } from '../wire/request.ts';
import { unsent } from '../wire/transport.ts';
import type { Call, CallOptions, Deployment, Placement } from './call.ts';
import { secretsOf, unknownKey } from './credentials.ts';
import { segment } from './path-segment.ts';
import { buildRequest } from './request.ts';

const deployment: Deployment = {
  identity: 'plain',
  regions: [
    { name: 'eu', baseUrl: 'https://eu.example/gateway/eu/' },
    { name: 'us', baseUrl: 'http://us.example:8080' },
  ],
  names: { vendorA: 'acme', vendorB: 'bolt' },
  versionDate: '2023-06-01',
  credentials: { chat: 'bearer', systemone: 'x-own-key', models: 'bearer' },
  keys: { owner: 'sk-Owner-1234', otherUser: 'sk-Other-5678' },
};

const plain: Call = {
  operation: 'responses.create',
  protocol: 'responses',
  method: 'POST',
  path: '/v1/responses',
  body: { model: 'm' },
  expects: 'json',
};

const identity = { id: idFrom('a#main/0'), clientRequestId: 'run-1.a' };

function built(call: Partial<Call> = {}, options: CallOptions = {}) {
  const { headers, ...request } = buildRequest(
    { ...plain, ...call },
    options,
    deployment,
    identity,
  );
  return { ...request, headers: Object.fromEntries(headers) };
}

test('a baseline call', () => {
  const request = built();
  expect(request.about).toEqual({
    operation: 'responses.create',
    protocol: 'responses',
    region: 'eu',
    key: 'owner',
  });
  expect(formatId(request.id)).toBe('a#main/0');
  expect(request.headers).toEqual({
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'User-Agent': 'gateway-touchstone',
    'X-Client-Request-Id': 'run-1.a',
    'Accept-Encoding': 'identity',
    Authorization: 'Bearer sk-Owner-1234',
  });
  expect(Buffer.from(request.body ?? []).toString()).toBe('{"model":"m"}');
});

test('a base address keeps its path prefix, and the query is sorted', () => {
  expect(built({ query: { stream: 'true', a: 'x y' } }).url).toBe(
    'https://eu.example/gateway/eu/v1/responses?a=x+y&stream=true',
  );
  expect(built({}, { region: 'us' }).url).toBe('http://us.example:8080/v1/responses');
});

test('a socket goes to the same address under its own scheme', () => {
  const socket = { method: 'GET', body: undefined, expects: 'socket' } as const;
  expect(built(socket).url).toBe('wss://eu.example/gateway/eu/v1/responses');
  expect(built(socket, { region: 'us' }).url).toBe('ws://us.example:8080/v1/responses');
  expect(built(socket).headers).not.toHaveProperty('Content-Type');
});

test.each([
  ['responses', { Authorization: 'Bearer sk-Owner-1234' }],
  ['messages', { 'x-api-key': 'sk-Owner-1234', 'acme-version': '2023-06-01' }],
  ['generative', { 'x-bolt-api-key': 'sk-Owner-1234' }],
  ['chat-completions', { Authorization: 'Bearer sk-Owner-1234' }],
  ['systemone', { 'x-own-key': 'sk-Owner-1234' }],
  ['models', { Authorization: 'Bearer sk-Owner-1234' }],
] as const)('the own header of %s', (protocol, expected) => {
  const { headers } = built({ protocol });
  expect(credentialsIn(headers)).toEqual(expected);
});

test.each<[Placement, Record<string, string>, string]>([
  ['bearer', { Authorization: 'Bearer sk-Owner-1234' }, ''],
  ['x-api-key', { 'x-api-key': 'sk-Owner-1234' }, ''],
  ['vendorB-api-key', { 'x-bolt-api-key': 'sk-Owner-1234' }, ''],
  ['query-key', {}, '?key=sk-Owner-1234'],
  ['query-api_key', {}, '?api_key=sk-Owner-1234'],
  ['bare', { Authorization: 'sk-Owner-1234' }, ''],
  ['basic', { Authorization: `Basic ${btoa('sk-Owner-1234:')}` }, ''],
])(
  'a key placed as %s stands nowhere else, and the version stays',
  (placement, expected, search) => {
    const { headers, url } = built({ protocol: 'messages' }, { placement });
    expect(credentialsIn(headers)).toEqual({ ...expected, 'acme-version': '2023-06-01' });
    expect(new URL(url).search).toBe(search);
  },
);

test('no key, another key, a version of its own or none', () => {
  const messages = { protocol: 'messages' } as const;
  expect(credentialsIn(built(messages, { key: 'none' }).headers)).toEqual({
    'acme-version': '2023-06-01',
  });
  expect(credentialsIn(built(messages, { key: 'otherUser', version: 'soon' }).headers)).toEqual({
    'x-api-key': 'sk-Other-5678',
    'acme-version': 'soon',
  });
  expect(credentialsIn(built(messages, { version: null }).headers)).toEqual({
    'x-api-key': 'sk-Owner-1234',
  });
});

test('a key that does not exist, and the owner key in another header beside it', () => {
  const { headers, about } = built({}, { key: 'unknown', beside: 'vendorB-api-key' });
  expect(credentialsIn(headers)).toEqual({
    Authorization: `Bearer ${unknownKey('sk-Owner-1234')}`,
    'x-bolt-api-key': 'sk-Owner-1234',
  });
  expect(about).toMatchObject({ key: 'unknown', beside: 'x-bolt-api-key' });
});

test('an unknown key has the form of the owner key, and does not tell it', () => {
  const key = 'sk-Owner_abcDEF.0123456789-xyz';
  const unknown = unknownKey(key);
  expect(unknown).toMatch(/^sk-[A-Z][a-z]{4}_[a-z]{3}[A-Z]{3}\.\d{10}-[a-z]{3}$/);
  expect(unknown).not.toBe(key);
  expect(unknownKey(key)).toBe(unknown);
  expect(unknownKey(`${key}0`).slice(0, key.length)).not.toBe(unknown);
  const long = 'k'.repeat(500);
  expect(unknownKey(long)).toMatch(/^[a-z]{500}$/);
});

test('what must be masked: every key, the unknown one, and those that are almost the owner’s', () => {
  const owner = 'sk-Owner-1234567890';
  const keys = { owner, otherUser: 'sk-Other-5678' };
  expect(secretsOf({ ...deployment, keys })).toEqual({
    ...keys,
    unknown: unknownKey(owner),
    changed: 'sk-Owner-123456789a',
    longer: 'sk-Owner-1234567890q7',
    shorter: 'sk-Owner-123456789',
    otherCase: 'SK-oWNER-1234567890',
  });
});

test('a short key may be almost another one: then the unknown one is sent', () => {
  expect(secretsOf(deployment)).toMatchObject({
    changed: unknownKey('sk-Owner-1234'),
    shorter: unknownKey('sk-Owner-1234'),
  });
  expect(credentialsIn(built({}, { key: 'unknown' }).headers)).toEqual({
    Authorization: `Bearer ${unknownKey('sk-Owner-1234')}`,
  });
});

test('members that are undefined are left out; text and bytes go as they are', () => {
  const bodyOf = (body: unknown): string =>
    Buffer.from(built({ body }).body ?? []).toString('latin1');
  expect(bodyOf({ a: undefined, b: null, c: [{ d: undefined }] })).toBe('{"b":null,"c":[{}]}');
  expect(bodyOf('{"cut":')).toBe('{"cut":');
  expect(bodyOf(Uint8Array.of(0xff, 0))).toBe('\u00ff\0');
  expect(bodyOf('')).toBe('');
  expect(built({ body: '' }).headers).toHaveProperty('Content-Type', 'application/json');
  expect(built({ body: undefined }).body).toBeNull();
});

test('headers of the call and of its options replace ours, whatever their case', () => {
  const { headers } = built(
    { headers: { 'content-type': 'text/plain' } },
    { headers: { ACCEPT: '*/*' }, acceptEncoding: 'gzip' },
  );
  expect(headers).toMatchObject({ 'content-type': 'text/plain', ACCEPT: '*/*' });
  expect(headers).toHaveProperty('Accept-Encoding', 'gzip');
  expect(Object.keys(headers)).not.toContain('Content-Type');
  expect(Object.keys(headers)).not.toContain('Accept');
});

test('an id is one segment of a path', () => {
  expect(segment('acme/odd: name 1')).toBe('acme%2Fodd%3A%20name%201');
});

test('what the target does not have is named', () => {
  expect(() => built({}, { region: 'mars' })).toThrow(
    'The target has no region "mars"; it names eu, us',
  );
  expect(() => built({}, { key: 'restricted' })).toThrow('The target has no key "restricted"');
  expect(() => built({ protocol: 'probe' })).toThrow('A probe takes no credential');
});

function credentialsIn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^authorization$|key$|version$/i.test(name)),
  );
}

test('custom headers come first, the most particular one wins, and secrets in them are recorded as masks', () => {
  const waf = 'canary-firewall-token';
  const guarded: Deployment = {
    ...deployment,
    regions: [
      {
        name: 'eu',
        baseUrl: 'https://eu.example',
        headers: { 'X-Tenant': 'eu' },
        protocols: { responses: { headers: { 'x-route': 'r' } } },
      },
    ],
    headers: { 'x-tenant': 'all', 'x-waf': `t=\${WAF};v=1`, 'User-Agent': 'mine' },
    protocols: { messages: { baseUrl: '/m', headers: { 'x-route': 'm' } } },
    probeHeaders: { 'x-probe': `\${WAF}` },
    variables: { WAF: waf },
  };
  const of = (call: Partial<Call>, options: CallOptions = {}) =>
    buildRequest({ ...plain, ...call }, options, guarded, identity);
  const asked = of({});
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'X-Tenant': 'eu',
    'x-waf': `t=${waf};v=1`,
    'x-route': 'r',
    'User-Agent': 'mine',
    Authorization: 'Bearer sk-Owner-1234',
  });
  const exchange = unsent(asked, {
    clock: { now: () => 0 },
    timeoutMs: 1,
    secrets: secretsOf(guarded),
  });
  expect(JSON.stringify(exchange)).not.toMatch(/canary/);
  expect(exchange.request.headers).toContainEqual(['x-waf', 't=********;v=1']);
  expect(curlLine(exchange)).toContain(` -H 'x-waf: t='"\${WAF}"';v=1'`);
  // Custom headers are sent without a key, over another path and to a probe as well.
  const keyless = of({ protocol: 'messages', path: '/v1/messages' }, { key: 'none' });
  expect(keyless.url).toBe('https://eu.example/m/v1/messages');
  expect(Object.fromEntries(keyless.headers)).toMatchObject({ 'x-route': 'm', 'X-Tenant': 'eu' });
  const probe = of({ protocol: 'probe', url: 'https://probe.example/' }, { key: 'none' });
  const atProbe = Object.fromEntries(probe.headers);
  expect(atProbe['x-probe']).toBe(waf);
  expect(atProbe).not.toHaveProperty('x-waf');
});

test('a short key is masked where it is sent, and sought nowhere', () => {
  const short = { ...deployment, keys: { owner: 'sk-1' } };
  const recorded = (options: CallOptions) => {
    const request = buildRequest(plain, options, short, identity);
    return sentRequest(request);
  };
  const placements: Placement[] = ['own', 'own-lower-case', 'x-api-key', 'bare', 'basic'];
  for (const placement of placements) {
    const text = JSON.stringify(recorded({ placement }));
    expect(text).not.toContain('sk-1"');
    expect(text).not.toContain(Buffer.from('sk-1:').toString('base64'));
    expect(text).toContain('********"');
  }
  expect(recorded({ placement: 'query-key' }).url).toBe(
    'https://eu.example/gateway/eu/v1/responses?key=********',
  );
  expect(Object.values(secretsOf(short))).not.toContain('sk-1');
  // A key that is made up of it might be another that works.
  const unknown = buildRequest(plain, { key: 'unknown' }, short, identity);
  expect(Object.fromEntries(unknown.headers).Authorization).toMatch(/^Bearer sk-.{20,}$/);
});

test('where there are no keys none is sent, and one that must be refused is made up', () => {
  const open = { ...deployment, keys: {} };
  const headers = (options: CallOptions) =>
    Object.fromEntries(buildRequest(plain, options, open, identity).headers);
  expect(headers({})).not.toHaveProperty('Authorization');
  expect(headers({ key: 'unknown' }).Authorization).toMatch(/^Bearer sk-.{20,}$/);
  expect(headers({ placement: 'x-api-key' })['x-api-key']).toMatch(/^sk-.{20,}$/);
});
