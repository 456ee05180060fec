import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';
import { mostConnections } from './open-files.ts';

const progress = { host: 'gateway.example', status: null, bytes: 0 };
const coded = (code: string) => Object.assign(new Error('went wrong'), { code });

test.each([
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['EMFILE', 'local-resources'],
  ['ENFILE', 'local-resources'],
  ['ENOBUFS', 'local-resources'],
  ['ENOMEM', 'local-resources'],
  ['EADDRNOTAVAIL', 'local-resources'],
  ['EAI_AGAIN', 'local-resources'],
  ['ECONNREFUSED', 'unreachable'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'not-http'],
  ['ERR_SSL_EXCESSIVE_MESSAGE_SIZE', 'not-http'],
  // An unknown error is not attributed to the gateway.
  ['EINVAL', 'unread'],
  ['UND_ERR_DESTROYED', 'unread'],
  ['ERR_INVALID_STATE', 'unread'],
])('%s is %s', (code, kind) => {
  expect(failureOf(coded(code), progress).kind).toBe(kind);
});

test('an error of ours blames nobody', () => {
  expect(failureOf(new TypeError('undefined is not iterable'), progress).kind).toBe('unread');
});

test('a parser that gets no memory is no fault of the gateway', () => {
  const error = new RangeError(
    'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory',
  );
  expect(failureOf(error, progress)).toMatchObject({
    kind: 'local-resources',
    message: expect.stringContaining('memory left'),
  });
});

test('no more connections at once than this machine has files for', () => {
  const limits = (files: string): string =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${files}  524288  files\n`;
  expect(mostConnections(limits('256'))).toBe(96);
  expect(mostConnections(limits('10'))).toBe(1);
  expect(mostConnections(limits('unlimited'))).toBe(Number.POSITIVE_INFINITY);
  expect(mostConnections('')).toBe(Number.POSITIVE_INFINITY);
});
