import { deflateRawSync } from 'node:zlib';
import type { Attack } from './attack.ts';
import { chunk, eight, frame, type RawWire } from './wire.ts';

const [text, binary, close, ping, pong] = [0x81, 0x82, 0x88, 0x89, 0x8a];
/** Without the bit that says that a message ends here. */
const open = 0x01;

const upgrade = (accept: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;

/** Opens the WebSocket as it should be, and goes on from there. */
function opened(id: string, what: string, go: (wire: RawWire) => Promise<void>): Attack {
  return {
    id: `socket/${id}`,
    what,
    to: 'upgrade',
    async spoil(wire, { accept }) {
      await wire.write(upgrade(accept));
      await go(wire);
    },
  };
}

function endless(id: string, what: string, piece: Buffer, before = ''): Attack {
  return {
    ...opened(id, what, async (wire) => {
      await wire.write(Buffer.from(before, 'latin1'));
      await wire.forEver(piece);
    }),
    endless: true,
  };
}

/** Something that is sent once, before nothing more comes. */
function once(id: string, what: string, bytes: () => Buffer): Attack {
  return {
    ...opened(id, what, async (wire) => {
      await wire.write(bytes());
      await wire.stall();
    }),
    endless: true,
  };
}

const times = (bytes: Buffer, count: number): Buffer => Buffer.concat(Array(count).fill(bytes));
const deep = 200_000;

/** WebSockets. */
export const socketAttacks: readonly Attack[] = [
  endless('empty-frames', 'empty frames for ever', times(frame(text, ''), 10_000)),
  endless('one-byte-frames', 'frames of one byte for ever', times(frame(text, ' '), 10_000)),
  endless('empty-fragments', 'empty fragments for ever', times(frame(0, ''), 10_000), '\x01\x00'),
  endless(
    'one-byte-fragments',
    'fragments of one byte for ever',
    times(frame(0, ' '), 10_000),
    '\x01\x00',
  ),
  endless('pings', 'pings for ever', times(frame(ping, ''), 10_000)),
  endless('pongs', 'pongs for ever', times(frame(pong, ''), 10_000)),
  endless('objects', 'events for ever', times(frame(text, '{"type":"ping"}'), 1_000)),
  once('silence', 'nothing', () => Buffer.alloc(0)),
  once('huge-frame', 'a frame of a gigabyte', () =>
    Buffer.concat([Buffer.from([text, 127]), eight(2 ** 30), Buffer.from('x')]),
  ),
  once('bad-utf-8', 'bytes that are no UTF-8', () => frame(text, Buffer.from([0xff, 0xfe, 0xfd]))),
  once('masked', 'a masked frame', () => frame(text, Buffer.from('    {}'), 0x80)),
  once('reserved', 'a frame with a reserved bit', () => frame(text | 0x40, '{}')),
  once('packed', 'a packed bomb that nobody agreed to', () =>
    frame(text | 0x40, deflateRawSync(Buffer.alloc(16 * 1024 * 1024))),
  ),
  once('binary', 'binary data', () => frame(binary, Buffer.from([0, 1, 2, 3]))),
  once('deep', '200,000 lists in each other', () =>
    frame(text, `{"type":"response.created","response":${'['.repeat(deep)}${']'.repeat(deep)}}`),
  ),
  once('no-json', 'text that is no JSON', () => frame(text, '{{')),
  once('unfinished', 'a message that never ends', () => frame(open, '{"type":')),
  once('close-code', 'a close with a code that there is not', () =>
    frame(close, Buffer.from([0, 1])),
  ),
  once('long-close', 'a close with 200 bytes', () => frame(close, Buffer.alloc(200, 0x61))),
  {
    id: 'socket/wrong-accept',
    what: 'a handshake that is wrong',
    to: 'upgrade',
    async spoil(wire) {
      await wire.write(upgrade('d3Jvbmc='));
      wire.end();
    },
  },
  {
    id: 'socket/one-byte-refusal',
    what: 'a refusal in chunks of one byte for ever',
    to: 'upgrade',
    endless: true,
    async spoil(wire) {
      await wire.write('HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n');
      await wire.forEver(times(chunk(' '), 10_000));
    },
  },
  {
    id: 'socket/reset',
    what: 'a reset after the handshake',
    to: 'upgrade',
    async spoil(wire, { accept }) {
      await wire.write(upgrade(accept));
      wire.reset();
    },
  },
];
