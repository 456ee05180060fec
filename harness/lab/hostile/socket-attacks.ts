import { deflateRawSync } from 'node:zlib';
import { type Attack, family } from './attack.ts';
import { chunk, eight, frame } from './wire.ts';

const [text, binary, close, ping, pong] = [0x81, 0x82, 0x88, 0x89, 0x8a];
/** Without the bit that says that a message ends here. */
const open = 0x01;

const upgrade = (accept: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;

const { attack, begun, pour } = family('socket', 'upgrade');
const repeated = (bytes: Buffer, count: number): Buffer => Buffer.concat(Array(count).fill(bytes));

/** Opens the WebSocket as it should be, and sends the same for ever. */
const frames = (id: string, piece: Buffer, count = 10_000, before = ''): Attack =>
  pour(id, ({ accept }) => Buffer.from(upgrade(accept) + before, 'latin1'), repeated(piece, count));

/** Something that is sent once, before nothing more comes. */
const once = (id: string, bytes: () => Buffer): Attack =>
  begun(
    id,
    ({ accept }) => Buffer.concat([Buffer.from(upgrade(accept)), bytes()]),
    (wire) => wire.stall(),
  );

const deep = 200_000;

/** WebSockets. */
export const socketAttacks: readonly Attack[] = [
  frames('empty-frames', frame(text, '')),
  frames('one-byte-frames', frame(text, ' ')),
  frames('empty-fragments', frame(0, ''), 10_000, '\x01\x00'),
  frames('one-byte-fragments', frame(0, ' '), 10_000, '\x01\x00'),
  frames('pings', frame(ping, '')),
  frames('pongs', frame(pong, '')),
  frames('objects', frame(text, '{"type":"ping"}'), 1_000),
  once('silence', () => Buffer.alloc(0)),
  once('frame-of-a-gigabyte', () =>
    Buffer.concat([Buffer.from([text, 127]), eight(2 ** 30), Buffer.from('x')]),
  ),
  once('bad-utf-8', () => frame(text, Buffer.from([0xff, 0xfe, 0xfd]))),
  once('masked', () => frame(text, Buffer.from('    {}'), 0x80)),
  once('reserved-bit', () => frame(text | 0x40, '{}')),
  once('bomb-that-nobody-agreed-to', () =>
    frame(text | 0x40, deflateRawSync(Buffer.alloc(16 * 1024 * 1024))),
  ),
  once('binary', () => frame(binary, Buffer.from([0, 1, 2, 3]))),
  once('deep', () =>
    frame(text, `{"type":"response.created","response":${'['.repeat(deep)}${']'.repeat(deep)}}`),
  ),
  once('no-json', () => frame(text, '{{')),
  once('unfinished', () => frame(open, '{"type":')),
  once('unknown-close-code', () => frame(close, Buffer.from([0, 1]))),
  once('long-close', () => frame(close, Buffer.alloc(200, 0x61))),
  attack('wrong-accept', async (wire) => {
    await wire.write(upgrade('d3Jvbmc='));
    wire.end();
  }),
  pour(
    'one-byte-refusal',
    () => 'HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n',
    repeated(chunk(' '), 10_000),
  ),
  attack('reset', async (wire, { accept }) => {
    await wire.write(upgrade(accept));
    wire.reset();
  }),
];
