import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Attack, family } from './attack.ts';
import { chunk, head, type Sound } from './wire.ts';

const chunked = ['Transfer-Encoding: chunked', 'Connection: close'];
const startOfHead = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const lastChunk = '0\r\n\r\n';
const { attack, begun, bytes, pour } = family('framing', 'any');

const inChunks = (sound: Sound): string => head(sound, chunked);
/** A head with a length that differs from that of the body, and further header lines. */
const withLength = (sound: Sound, length: number, ...more: readonly string[]) => [
  head(sound, [`Content-Length: ${length}`, ...more]),
  sound.body,
];
/** An interim answer without end. */
const interim = (id: string, status: string): Attack =>
  pour(id, () => '', `HTTP/1.1 ${status}\r\n\r\n`.repeat(200));

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

const packed = (id: string, coding: string, body: (sound: Sound) => Buffer): Attack =>
  family('coding', 'any').changed(id, (_, sound) => body(sound), `Content-Encoding: ${coding}`);

/** Bytes, chunks, headers, codings: what a client sees before it knows what was sent. */
export const framingAttacks: readonly Attack[] = [
  pour('body', (sound) => head(sound, ['Connection: close']), 'x'.repeat(65_536)),
  pour('one-byte-chunks', inChunks, '1\r\n \r\n'.repeat(10_000)),
  pour('chunk-extension', (sound) => `${inChunks(sound)}5;`, 'a'.repeat(65_536)),
  pour('trailers', (sound) => `${inChunks(sound)}0\r\n`, 'a: b\r\n'.repeat(1_000)),
  pour('headers', () => startOfHead, 'x-a: b\r\n'.repeat(1_000)),
  pour('header-line', () => `${startOfHead}x-a: `, 'a'.repeat(65_536)),
  pour('status-line', () => 'HTTP/1.1 200 ', 'a'.repeat(65_536)),
  interim('continue', '100 Continue'),
  interim('processing', '102 Processing'),
  interim('early-hints', '103 Early Hints\r\nlink: </a>'),
  begun(
    'silence',
    () => '',
    (wire) => wire.stall(),
  ),
  begun(
    'drip-headers',
    () => startOfHead,
    (wire) => wire.drip('x-a: b\r\n'),
  ),
  begun('drip-body', inChunks, (wire) => wire.drip('1\r\n \r\n')),
  begun('stall-after-head', inChunks, (wire) => wire.stall()),
  attack('one-byte-chunks-before', async (wire, sound) => {
    await wire.write(inChunks(sound));
    await wire.write('1\r\n \r\n'.repeat(100_000));
    await wire.write(Buffer.concat([chunk(sound.body), Buffer.from(lastChunk)]));
    wire.end();
  }),
  attack('reset', async (wire, sound, draws) => {
    const [start = '', body = ''] = withLength(sound, sound.body.length);
    const all = Buffer.concat([Buffer.from(start), Buffer.from(body)]);
    await wire.write(all.subarray(0, draws.below(sound.body.length + 400)));
    wire.reset();
  }),
  bytes('second-answer', (sound) => {
    const one = withLength(sound, sound.body.length);
    return [...one, ...one];
  }),
  bytes('length-short', (sound) => withLength(sound, sound.body.length >> 1)),
  bytes('length-long', (sound) => withLength(sound, sound.body.length + 9)),
  bytes('length-twice', (sound) => withLength(sound, sound.body.length, 'Content-Length: 3')),
  bytes('length-and-chunked', (sound) => [
    head(sound, [...chunked, 'Content-Length: 3']),
    chunk(sound.body),
    lastChunk,
  ]),
  bytes('chunk-without-size', (sound) => [inChunks(sound), 'zz\r\nno size\r\n']),
  bytes('chunk-of-2-to-the-72', (sound) => [inChunks(sound), '1000000000000000000\r\nabc']),
  bytes('http-1.0', (sound) => [head(sound, []).replace('/1.1', '/1.0'), sound.body]),
  bytes('body-without-head', ({ body }) => [body]),
  bytes('http-2', () => [Buffer.from('000012040000000000000300000064000400100000', 'hex')]),
  bytes('tls-alert', () => [Buffer.from('15030300020228', 'hex')]),
  bytes('status-000', (sound) => [
    head({ ...sound, status: 0 }, ['Content-Length: 0']).replace(' 0 ', ' 000 '),
  ]),
  bytes('status-999', (sound) => [head({ ...sound, status: 999 }, ['Content-Length: 0'])]),
  bytes('nul-in-header', (sound) => [head(sound, ['x-a: a\0b', 'Content-Length: 0'])]),
  bytes('unasked-101', ({ body }) => [
    'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    body,
  ]),
  bytes('redirect-elsewhere', () => [
    'HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:9/v1\r\nContent-Length: 0\r\n\r\n',
  ]),
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
