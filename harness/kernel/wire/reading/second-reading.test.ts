import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { text } from '../body.ts';
import { openSocket } from '../socket.ts';
import { serveBytes, wireOptions, wireRequest } from '../testing-server.ts';
import { send } from '../transport.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

/** Sent over a socket by a server of its own, and then the connection ends. */
async function answered(bytes: string | Buffer) {
  const server = await serveBytes((socket) => socket.end(bytes));
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect([server.requests(), server.connections()]).toEqual([1, 1]);
  return exchange;
}

test.each([
  ['garbage', 'what is this?\r\n\r\n', 'RFC 9112, 4 '],
  ['lines that end in LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}', 'RFC 9112, 2.1 '],
  ['CR within a line', `${ok}X-A: a\rb\r\nContent-Length: 0\r\n\r\n`, 'RFC 9112, 2.2 '],
  ['white space first', `${ok} X-A: b\r\nContent-Length: 0\r\n\r\n`, 'RFC 9112, 2.2 '],
  ['white space before a colon', `${ok}X-A : b\r\n\r\n`, 'RFC 9112, 5.1 '],
  ['a header without a colon', `${ok}X-A\r\n\r\n`, 'RFC 9112, 5 '],
  ['a name that is no token', `${ok}X(A): b\r\n\r\n`, 'RFC 9110, 5.1 '],
  ['NUL in a value', `${ok}X-A: a\0b\r\n\r\n`, 'RFC 9110, 5.5 '],
  [
    'two ways to frame a body',
    `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'RFC 9112, 6.2 ',
  ],
  ['two lengths', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 'RFC 9110, 8.6 '],
  ['a length that is none', `${ok}Content-Length: two\r\n\r\n{}`, 'RFC 9110, 8.6 '],
  ['a chunk without its size', `${chunked}zz\r\nabc`, 'RFC 9112, 7.1 '],
  ['a chunk that is longer than it says', `${chunked}2\r\nabc\r\n0\r\n\r\n`, 'RFC 9112, 7.1 '],
  ['an extension that is no token', `${chunked}2;(x)\r\n{}\r\n0\r\n\r\n`, 'RFC 9112, 7.1.1 '],
  ['a trailer without a colon', `${chunked}0\r\nno trailer\r\n\r\n`, 'RFC 9112, 5 '],
  [
    'a protocol nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'RFC 9110, 7.8 ',
  ],
])('%s: which clause is broken', async (_what, bytes, clause) => {
  const { failure } = await answered(bytes);
  expect(failure?.kind, failure?.message).toBe('not-http');
  expect(failure?.message).toContain(`${clause}is broken: `);
});

test.each([
  [
    'headers of 300 KiB',
    `${ok}${`X-A: ${'b'.repeat(1000)}\r\n`.repeat(300)}Content-Length: 0\r\n\r\n`,
  ],
  // White space that HTTP has for historical reasons, and wants every recipient to read.
  ['white space around an extension', `${chunked}2 ; a = b\r\n{}\r\n0\r\n\r\n`],
])('%s: legal, and nobody is blamed that we cannot read it', async (_what, bytes) => {
  const { failure } = await answered(bytes);
  expect(failure?.kind, failure?.message).toBe('unread');
  expect(failure?.message).toContain('breaks no clause of RFC 9112');
});

test.each([
  ['100 Continue, unasked', `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`],
  [
    'two of them',
    `${'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n'.repeat(2)}${ok}Content-Length: 2\r\n\r\n{}`,
  ],
  ['early hints', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`],
  [
    'headers of 100 KiB',
    `${ok}${`X-A: ${'b'.repeat(1000)}\r\n`.repeat(100)}Content-Length: 2\r\n\r\n{}`,
  ],
  ['no reason', `HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n{}`],
  ['HTTP/1.0, to the end of the connection', 'HTTP/1.0 200 OK\r\n\r\n{}'],
  ['letters beyond ASCII in a value', `${ok}X-A: \xe4\r\nContent-Length: 2\r\n\r\n{}`],
  ['extensions of chunks', `${chunked}2;a=b;c="d;e";f\r\n{}\r\n0;last\r\n\r\n`],
  ['sizes with zeros before them', `${chunked}0002\r\n{}\r\n000\r\n\r\n`],
  ['trailers', `${chunked}2\r\n{}\r\n0\r\nX-Checksum: 1\r\n\r\n`],
])('%s: read', async (_what, bytes) => {
  const exchange = await answered(Buffer.from(bytes, 'latin1'));
  expect(exchange.failure).toBeNull();
  expect(exchange.response?.complete).toBe(true);
  expect(text(exchange)).toEqual({ ok: true, value: '{}' });
});

test('100 Continue in pieces', async () => {
  const server = await serveBytes((socket) => {
    const pieces = [
      'HTTP/1.1 1',
      '00 Continue\r\n',
      '\r\nHTTP/1.1 200 OK\r\nContent-Len',
      'gth: 2\r\n\r\n{}',
    ];
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) socket.end();
      else socket.write(piece, () => setImmediate(next));
    };
    socket.setNoDelay(true);
    next();
  });
  const exchange = await send(wireRequest(server.url), wireOptions());
  expect([exchange.failure, exchange.response?.status]).toEqual([null, 200]);
});

const handshake = (head: string): string => {
  const key = /Sec-WebSocket-Key: (.*)\r\n/i.exec(head)?.[1] ?? '';
  const accept = createHash('sha1')
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  return (
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept}\r\n`
  );
};

/** A WebSocket that is agreed to, with further headers, and then these bytes. */
async function conversed(frames: readonly number[], headers = '') {
  const server = await serveBytes((socket, head) => {
    socket.write(
      Buffer.concat([Buffer.from(`${handshake(head)}${headers}\r\n`), Buffer.from(frames)]),
    );
  });
  const socket = await openSocket(wireRequest(server.url.replace('http', 'ws')), wireOptions());
  await socket.receive(() => false);
  const exchange = await socket.exchange();
  expect([server.requests(), server.connections()]).toEqual([1, 1]);
  return exchange;
}

const text2 = [0x7b, 0x7d];

test.each([
  ['a reserved bit', [0xc1, 2, ...text2], '5.2'],
  ['a reserved opcode', [0x83, 2, ...text2], '5.2'],
  ['a masked frame', [0x81, 0x82, 0, 0, 0, 0, ...text2], '5.1'],
  ['a fragmented ping', [0x09, 0], '5.5'],
  ['a long ping', [0x89, 126, 0, 126, ...Array<number>(126).fill(0)], '5.5'],
  ['a continuation of nothing', [0x80, 2, ...text2], '5.4'],
  ['a message within another', [0x01, 2, ...text2, 0x81, 2, ...text2], '5.4'],
  ['text that is no UTF-8', [0x81, 2, 0xc3, 0x28], '8.1'],
  ['a letter that is cut in two, for good', [0x01, 1, 0xc3, 0x80, 1, 0x28], '8.1'],
  ['a close of one byte', [0x88, 1, 3], '5.5.1'],
  ['a close code that is never sent', [0x88, 2, 0x03, 0xed], '7.4'],
  ['a close code below all', [0x88, 2, 0, 9], '7.4'],
  ['a reason that is no UTF-8', [0x88, 4, 0x03, 0xe8, 0xc3, 0x28], '5.5.1'],
])('%s: which clause is broken', async (_what, frames, section) => {
  const { failure } = await conversed(frames);
  expect(failure?.kind, failure?.message).toBe('not-http');
  expect(failure?.message).toContain(`RFC 6455, ${section} is broken: `);
});

test.each([
  ['Sec-WebSocket-Extensions: permessage-deflate\r\n', '4.1'],
  ['Sec-WebSocket-Protocol: chat\r\n', '4.1'],
])('a handshake with %s: which clause is broken', async (header, section) => {
  const { failure } = await conversed([], header);
  expect(failure?.kind, failure?.message).toBe('not-http');
  expect(failure?.message).toContain(`RFC 6455, ${section} is broken: `);
});

test('a close code that nobody has registered: legal, and nobody is blamed', async () => {
  const { failure } = await conversed([0x88, 2, 0x07, 0xd0]);
  expect(failure?.kind, failure?.message).toBe('unread');
});

test('a letter that two fragments share: read', async () => {
  const exchange = await conversed([0x01, 1, 0xc3, 0x80, 1, 0xa9, 0x88, 2, 0x03, 0xe8]);
  expect(exchange.failure).toBeNull();
  expect(Buffer.from(exchange.socket?.frames[0]?.data ?? []).toString()).toBe('é');
});
