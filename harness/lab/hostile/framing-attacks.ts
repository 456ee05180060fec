import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Attack } from './attack.ts';
import { answerWith, chunk, head, type RawWire, type Sound } from './wire.ts';

const chunked = ['Transfer-Encoding: chunked', 'Connection: close'];

/** Text that takes little room when it is packed; made when it is first asked for. */
const zeros = (): Buffer => Buffer.alloc(64 * 1024 * 1024);
const bombs = {
  gzip: () => gzipSync(zeros()),
  br: () => brotliCompressSync(zeros(), { params: { 1: 1 } }),
  deflate: () => deflateSync(zeros()),
};
const made = new Map<string, Buffer>();
function bomb(coding: keyof typeof bombs): Buffer {
  const known = made.get(coding) ?? bombs[coding]();
  made.set(coding, known);
  return known;
}

function endless(id: string, what: string, begin: (sound: Sound) => string, piece: string): Attack {
  return {
    id: `framing/${id}`,
    what,
    to: 'any',
    endless: true,
    async spoil(wire, sound) {
      await wire.write(begin(sound));
      await wire.forEver(piece);
    },
  };
}

/** An answer that ends, of which only the bytes differ. */
function whole(id: string, what: string, bytes: (sound: Sound) => string | Buffer): Attack {
  return {
    id: `framing/${id}`,
    what,
    to: 'any',
    async spoil(wire, sound) {
      await wire.write(bytes(sound));
      wire.end();
    },
  };
}

function packed(id: string, coding: string, body: (sound: Sound) => Buffer): Attack {
  return {
    id: `coding/${id}`,
    what: `a body said to be ${coding}`,
    to: 'any',
    spoil: (wire, sound) => answerWith(wire, sound, body(sound), [`Content-Encoding: ${coding}`]),
  };
}

const startOfHead = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const length = ({ body }: Sound): number => body.length;
const many = (piece: string, count: number): string => piece.repeat(count);

async function resetAfter(wire: RawWire, sound: Sound, bytes: number): Promise<void> {
  const all = Buffer.concat([
    Buffer.from(head(sound, [`Content-Length: ${length(sound)}`])),
    sound.body,
  ]);
  await wire.write(all.subarray(0, bytes));
  wire.reset();
}

/** Bytes, chunks, headers, codings: what a client sees before it knows what was sent. */
export const framingAttacks: readonly Attack[] = [
  endless(
    'body',
    'a body that never ends',
    (sound) => head(sound, ['Connection: close']),
    many('x', 65_536),
  ),
  endless(
    'one-byte-chunks',
    'chunks of one byte for ever',
    (sound) => head(sound, chunked),
    many('1\r\n \r\n', 10_000),
  ),
  endless(
    'chunk-extension',
    'a chunk extension that never ends',
    (sound) => `${head(sound, chunked)}5;`,
    many('a', 65_536),
  ),
  endless(
    'trailers',
    'trailers that never end',
    (sound) => `${head(sound, chunked)}0\r\n`,
    many('a: b\r\n', 1_000),
  ),
  endless('headers', 'headers that never end', () => startOfHead, many('x-a: b\r\n', 1_000)),
  endless(
    'header-line',
    'a header line that never ends',
    () => `${startOfHead}x-a: `,
    many('a', 65_536),
  ),
  endless('status-line', 'a status line that never ends', () => 'HTTP/1.1 200 ', many('a', 65_536)),
  endless(
    'continue',
    '100 Continue for ever',
    () => '',
    many('HTTP/1.1 100 Continue\r\n\r\n', 200),
  ),
  endless(
    'processing',
    '102 Processing for ever',
    () => '',
    many('HTTP/1.1 102 Processing\r\n\r\n', 200),
  ),
  endless(
    'early-hints',
    '103 Early Hints for ever',
    () => '',
    many('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 200),
  ),
  {
    id: 'framing/silence',
    what: 'no answer',
    to: 'any',
    endless: true,
    spoil: (wire) => wire.stall(),
  },
  {
    id: 'framing/drip-headers',
    what: 'a byte of a header at a time',
    to: 'any',
    endless: true,
    async spoil(wire) {
      await wire.write(startOfHead);
      await wire.drip('x-a: b\r\n');
    },
  },
  {
    id: 'framing/drip-body',
    what: 'a byte of the body at a time',
    to: 'any',
    endless: true,
    async spoil(wire, sound) {
      await wire.write(head(sound, chunked));
      await wire.drip('1\r\n \r\n');
    },
  },
  {
    id: 'framing/stall-after-head',
    what: 'a head, and no body',
    to: 'any',
    endless: true,
    async spoil(wire, sound) {
      await wire.write(head(sound, chunked));
      await wire.stall();
    },
  },
  {
    id: 'framing/one-byte-chunks-before',
    what: '100,000 chunks of one byte before a sound body',
    to: 'any',
    async spoil(wire, sound) {
      await wire.write(head(sound, chunked));
      await wire.write(many('1\r\n \r\n', 100_000));
      await wire.write(Buffer.concat([chunk(sound.body), Buffer.from('0\r\n\r\n')]));
      wire.end();
    },
  },
  {
    id: 'framing/reset',
    what: 'a reset somewhere in a sound answer',
    to: 'any',
    spoil: (wire, sound, draws) => resetAfter(wire, sound, draws.below(length(sound) + 400)),
  },
  {
    id: 'framing/second-answer',
    what: 'a second answer on the connection',
    to: 'any',
    async spoil(wire, sound) {
      const one = Buffer.concat([
        Buffer.from(head(sound, [`Content-Length: ${length(sound)}`])),
        sound.body,
      ]);
      await wire.write(Buffer.concat([one, one]));
      wire.end();
    },
  },
  whole('length-short', 'a Content-Length that is too small', (sound) =>
    Buffer.concat([
      Buffer.from(head(sound, [`Content-Length: ${length(sound) >> 1}`])),
      sound.body,
    ]),
  ),
  whole('length-long', 'a Content-Length that is too large', (sound) =>
    Buffer.concat([Buffer.from(head(sound, [`Content-Length: ${length(sound) + 9}`])), sound.body]),
  ),
  whole('length-twice', 'two lengths', (sound) =>
    Buffer.concat([
      Buffer.from(head(sound, [`Content-Length: ${length(sound)}`, 'Content-Length: 3'])),
      sound.body,
    ]),
  ),
  whole('length-and-chunked', 'a length, and chunks', (sound) =>
    Buffer.concat([
      Buffer.from(head(sound, [...chunked, 'Content-Length: 3'])),
      chunk(sound.body),
      Buffer.from('0\r\n\r\n'),
    ]),
  ),
  whole(
    'chunk-garbage',
    'chunks without a size',
    (sound) => `${head(sound, chunked)}zz\r\nno size\r\n`,
  ),
  whole(
    'chunk-size',
    'a chunk of 2^72 bytes',
    (sound) => `${head(sound, chunked)}1000000000000000000\r\nabc`,
  ),
  whole('http-1.0', 'HTTP/1.0', (sound) =>
    Buffer.concat([Buffer.from(head(sound, []).replace('/1.1', '/1.0')), sound.body]),
  ),
  whole('http-0.9', 'a body without a head', (sound) => sound.body),
  whole('http-2', 'frames of HTTP/2', () =>
    Buffer.from('000012040000000000000300000064000400100000', 'hex'),
  ),
  whole('tls-alert', 'a TLS alert', () => Buffer.from('15030300020228', 'hex')),
  whole('status-000', 'the status 000', (sound) =>
    head({ ...sound, status: 0 }, ['Content-Length: 0']).replace(' 0 ', ' 000 '),
  ),
  whole('status-999', 'the status 999', (sound) =>
    head({ ...sound, status: 999 }, ['Content-Length: 0']),
  ),
  whole('nul-in-header', 'a zero byte in a header', (sound) =>
    head(sound, ['x-a: a\0b', 'Content-Length: 0']),
  ),
  whole('unasked-101', 'an upgrade that nobody asked for', (sound) =>
    Buffer.concat([
      Buffer.from('HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      sound.body,
    ]),
  ),
  whole(
    'redirect',
    'a redirect to another host',
    () => 'HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:9/v1\r\nContent-Length: 0\r\n\r\n',
  ),
  packed('gzip-bomb', 'gzip', () => bomb('gzip')),
  packed('br-bomb', 'br', () => bomb('br')),
  packed('deflate-bomb', 'deflate', () => bomb('deflate')),
  packed('nested', 'gzip, gzip, gzip', () => gzipSync(gzipSync(bomb('gzip')))),
  packed('ten', Array(10).fill('gzip').join(', '), ({ body }) => gzipSync(body)),
  packed('plain', 'gzip', ({ body }) => body),
  packed('unlabelled', 'identity', ({ body }) => gzipSync(body)),
  packed('empty-members', 'gzip', () => Buffer.concat(Array(20_000).fill(gzipSync('')))),
  packed('junk-before', 'gzip', ({ body }) => Buffer.concat([Buffer.from('junk'), gzipSync(body)])),
];
