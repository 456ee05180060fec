import { expect, test } from 'vitest';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { transientIn } from './judged.ts';

const overloaded = { error: { type: 'overloaded_error', message: 'later' } };

test.each([
  [200, 'POST /v1/responses came to an overload: overloaded_error: later'],
  [299, 'POST /v1/responses came to an overload: overloaded_error: later'],
  // Then the status says what it is.
  [300, null],
  [400, null],
  [503, 'POST /v1/responses was answered 503: an overload'],
])('an overload that is told in the body of a %i', (status, reason) => {
  expect(transientIn(sample({ status, body: overloaded }))).toEqual(
    reason === null ? null : { cause: 'overload', reason },
  );
});

test('an error inside a stream may decide, and may not', () => {
  const told = (type: string) =>
    transientIn(sampleStream(`data: {"type":"error","error":{"type":"${type}"}}\n\n`));
  expect(told('overloaded_error')?.cause).toBe('overload');
  expect(told('invalid_request_error')).toBeNull();
});

test.each([
  [1012, 'gateway', true],
  [1013, 'gateway', true],
  [1013, 'us', false],
  [1008, 'gateway', false],
] as const)('a socket closed with %i by %s', (code, by, undecided) => {
  const close = { code, reason: '', by };
  expect(transientIn(sampleSocket([], { close })) !== null).toBe(undecided);
});

test('what came of a connection that we could not get, or not keep, is not known', () => {
  for (const kind of ['unreachable', 'timeout', 'interrupted', 'reset', 'cut'] as const) {
    const failure = { kind, message: 'sorry' };
    const undecided = kind !== 'cut';
    expect(transientIn(sample({ status: null, failure })) !== null, kind).toBe(undecided);
    // For an open socket, the frames that arrived decide it.
    expect(transientIn(sampleSocket([], { failure }))).toBeNull();
  }
});
