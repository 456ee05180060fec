import { describe, expect, test } from 'vitest';
import type { Exchange, ExchangeFailure, FailureKind, HeaderLines } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { withDefaults } from './defaults.ts';
import { assertReachable, obstacleIn, Unreachable } from './reachable.ts';

const eu = { name: 'eu', baseUrl: 'http://eu.example' };
const us = { name: 'us', baseUrl: 'http://us.example' };

function exchange(fields: Pick<Exchange, 'response' | 'failure'>): Exchange {
  return {
    id: idFrom('reachable#main/0'),
    about: { operation: 'models.list', protocol: 'models', region: 'eu', key: 'owner' },
    request: { method: 'GET', url: 'http://eu.example/v1/models', headers: [], body: null },
    socket: null,
    times: { started: 0, headers: null, ended: 1 },
    echoed: [],
    ...fields,
  };
}

function answered(status: number, body = '{}', headers: HeaderLines = []): Exchange {
  const response = { status, headers, body: Buffer.from(body), chunks: [], complete: true };
  return exchange({ response, failure: null });
}

function failed(kind: FailureKind): Exchange {
  const failure: ExchangeFailure = { kind, message: 'as the wire says' };
  return exchange({ response: null, failure });
}

describe('what keeps a region from being tested', () => {
  test.each([
    ['unreachable', 'http://eu.example (region eu) cannot be reached (as the wire says)'],
    ['reset', 'cannot be reached (as the wire says)'],
    ['timeout', 'did not respond in time (as the wire says)'],
    ['not-http', 'does not speak HTTP there (as the wire says)'],
  ] as const)('%s', (kind, message) => {
    expect(obstacleIn(failed(kind), eu)).toContain(message);
  });

  test.each([401, 403])('%i is a refused key', (status) => {
    expect(obstacleIn(answered(status), eu)).toContain("refuses the owner's key");
  });

  test.each([502, 503, 504])('%i is a gateway that is down', (status) => {
    expect(obstacleIn(answered(status), eu)).toContain('Run again when the gateway is up');
  });

  test('a redirect, with where it leads', () => {
    const redirect = answered(302, '', [['Location', 'https://login.example']]);
    expect(obstacleIn(redirect, eu)).toContain(
      'redirects: it answered GET /v1/models with 302, to https://login.example.',
    );
  });

  test('a web page, whatever it says that it is', () => {
    expect(obstacleIn(answered(200, '<!DOCTYPE html><p>'), eu)).toContain('is a web page');
    const typed = answered(200, 'hello', [['content-type', 'text/html; charset=utf-8']]);
    expect(obstacleIn(typed, eu)).toContain('is a web page');
  });
});

test.each([200, 404, 429, 500])('%i is for the checks to judge', (status) => {
  expect(obstacleIn(answered(status), eu)).toBeNull();
  expect(obstacleIn(answered(404, '<html>'), eu)).toBeNull();
});

test('asks every region once, and names each that cannot be used', async () => {
  const target = withDefaults(
    { regions: [eu, us], keys: { owner: 'owner-key-1' }, models: [] },
    'test',
  );
  const asked: string[] = [];
  const send = (answer: (name: string) => Exchange) => (region: typeof eu) => {
    asked.push(region.name);
    return Promise.resolve(answer(region.name));
  };
  await assertReachable(
    target,
    send(() => answered(200)),
  );
  expect(asked).toEqual(['eu', 'us']);
  const half = assertReachable(
    target,
    send((name) => (name === 'us' ? failed('unreachable') : answered(200))),
  );
  await expect(half).rejects.toThrow(Unreachable);
  await expect(half).rejects.toThrow(/^http:\/\/us\.example \(region us\) cannot be reached/);
});

test.each([
  ['nobody listens', failed('unreachable'), true],
  ['it hangs up', failed('reset'), true],
  ['a proxy finds nothing behind it', answered(502), true],
  ['it speaks no HTTP', failed('not-http'), false],
  ['the key is refused', answered(401), false],
])('while a gateway starts that passes, and else not: %s', async (_, exchange, mayPass) => {
  const fields = { regions: [eu, us], keys: { owner: 'owner-key-1' }, models: [] };
  const asked = assertReachable(withDefaults(fields, 'test'), ({ name }) =>
    Promise.resolve(name === 'us' ? exchange : failed('unreachable')),
  );
  await expect(asked).rejects.toMatchObject({ mayPass });
});
