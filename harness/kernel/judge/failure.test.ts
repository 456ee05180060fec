import { expect, test } from 'vitest';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { Inconclusive } from './failure.ts';

const good = sample({ body: { object: 'response', status: 'completed' } });
const limited = sample({ status: 429, body: {} });

test('without a transient failure the cause is what the caller says, and a prerequisite by default', () => {
  const missing = new Inconclusive('the turn has no id', good);
  expect(missing).toMatchObject({
    message: 'the turn has no id',
    because: 'prerequisite',
    exchange: good,
  });
  expect(new Inconclusive('no', good, 'control').because).toBe('control');
  expect(new Inconclusive('no').exchange).toBeNull();
});

test('a transient failure is the cause, whatever else the caller missed', () => {
  const lost = new Inconclusive('the turn has no id', limited, 'ambiguous');
  expect(lost.because).toBe('rate-limit');
  expect(lost.message).toBe('POST /v1/responses was answered 429: a rate limit');
});

test('of several exchanges the one that failed is shown', () => {
  expect(new Inconclusive('no', [good, limited, good]).exchange).toBe(limited);
  expect(new Inconclusive('no', [limited, good]).because).toBe('rate-limit');
  expect(new Inconclusive('no', [limited, good].slice(1)).exchange).toBe(good);
  expect(new Inconclusive('no', []).exchange).toBeNull();
});

test.each([
  ['no-credit', sample({ status: 402, body: {} })],
  ['unreachable', sample({ status: 502, body: {} })],
  ['overload', sample({ status: 503, body: {} })],
  ['timeout', sample({ status: 504, body: {} })],
  ['overload', sampleStream('data: {"type":"error","error":{"type":"overloaded_error"}}\n\n')],
  ['timeout', sample({ status: null, failure: { kind: 'timeout', message: '' } })],
  ['local-resources', sample({ status: null, failure: { kind: 'local-resources', message: '' } })],
  ['interrupted', sample({ status: null, failure: { kind: 'interrupted', message: '' } })],
  ['overload', sampleSocket([], { close: { code: 1013, reason: '', by: 'gateway' } })],
  ['timeout', sampleSocket([], { failure: { kind: 'timeout', message: '' } })],
  ['unreachable', sample({ status: null, failure: { kind: 'reset', message: '' } })],
  ['prerequisite', sample({ status: null, failure: { kind: 'not-http', message: '' } })],
] as const)('%s', (cause, exchange) => {
  expect(new Inconclusive('no', exchange).because).toBe(cause);
});
