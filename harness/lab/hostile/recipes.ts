/** What a gateway would have answered. */
export interface SoundAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What a hostile gateway sends in the place of a sound answer. */
export interface Recipe {
  readonly what: string;
  /** Any answer, only JSON bodies, only event streams; or, once a WebSocket is open, its frames. */
  readonly on: 'answer' | 'json' | 'stream' | 'socket';
  /**
   * Bytes of the connection, from the status line on; of a socket, from the first frame on. Perhaps without an
   * end: whoever sends them stops when nobody reads any more.
   */
  bytes(sound: SoundAnswer): Iterable<Buffer>;
}

const crlf = '\r\n';
/** Tiny pieces are written many at once: what counts is how many there are. */
const together = 16 * 1024;

function head({ status, headers }: SoundAnswer, framing: string, after = ''): Buffer {
  const kept = headers.filter(
    ([name]) => !/^(content-length|transfer-encoding|connection)$/i.test(name),
  );
  const lines = kept.map(([name, value]) => `${name}: ${value}${crlf}`).join('');
  return Buffer.from(
    `HTTP/1.1 ${status} OK${crlf}${after}${lines}${framing}connection: close${crlf}${crlf}`,
    'latin1',
  );
}

const chunked = `transfer-encoding: chunked${crlf}`;

function chunk(bytes: Buffer | string): Buffer {
  const data = Buffer.from(bytes);
  return Buffer.concat([
    Buffer.from(`${data.length.toString(16)}${crlf}`),
    data,
    Buffer.from(crlf),
  ]);
}

const lastChunk = Buffer.from(`0${crlf}${crlf}`);

/** So many times the same, or for ever. */
function* times(count: number, one: Buffer | string): Generator<Buffer> {
  const unit = Buffer.from(one);
  const packed = Math.max(1, Math.floor(together / unit.length));
  const many = Buffer.concat(Array.from({ length: packed }, () => unit));
  for (let left = count; left > 0; left -= packed) {
    yield left >= packed ? many : many.subarray(0, left * unit.length);
  }
}

const endlessly = Number.POSITIVE_INFINITY;

/** A body that goes on as the sound one would, behind or around something else. */
function* framed(sound: SoundAnswer, body: Iterable<Buffer>): Generator<Buffer> {
  yield head(sound, chunked);
  for (const piece of body) yield chunk(piece);
  yield lastChunk;
}

/** The JSON of the sound answer with something else in its first object. */
function* withMember(sound: SoundAnswer, member: Iterable<Buffer>): Generator<Buffer> {
  const at = sound.body.indexOf('{') + 1;
  yield sound.body.subarray(0, at);
  yield* member;
  yield sound.body.subarray(at);
}

function* texts(...parts: readonly (string | Iterable<Buffer>)[]): Generator<Buffer> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* part;
  }
}

function* keys(count: number): Generator<Buffer> {
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from(
      { length: Math.min(1000, count - from) },
      (_, i) => `"k${from + i}":${i},`,
    );
    yield Buffer.from(some.join(''));
  }
}

/** A frame of a server, without a mask. */
function frame(opcode: number, data: Buffer | string = '', isLast = true): Buffer {
  const payload = Buffer.from(data);
  const long = payload.length > 125;
  const first = Buffer.from([(isLast ? 0x80 : 0) | opcode, long ? 127 : payload.length]);
  const length = Buffer.alloc(long ? 8 : 0);
  if (long) length.writeBigUInt64BE(BigInt(payload.length));
  return Buffer.concat([first, length, payload]);
}

function nested(depth: number, [open = '[', close = ']'] = ['[', ']']): Iterable<Buffer> {
  return texts(times(depth, open), '1', times(depth, close));
}

const members = (...text: readonly string[]): Pick<Recipe, 'on' | 'bytes'> => ({
  on: 'json',
  bytes: (sound) => framed(sound, withMember(sound, texts(...text))),
});

/**
 * Answers that are made to break whoever reads them: by how many things they are made of, by how deep, wide or
 * long they are, or by what parsers differ on. What they hold besides is sound.
 */
export const recipes = {
  'endless-body': {
    what: 'a body of JSON that never ends',
    on: 'answer',
    bytes: (sound) => framed(sound, texts('{"a":"', times(endlessly, 'x'.repeat(1024)))),
  },
  'tiny-chunks': {
    what: 'the sound body behind 200 000 chunks of one space each',
    on: 'json',
    bytes: (sound) =>
      joined([head(sound, chunked)], times(200_000, chunk(' ')), [chunk(sound.body), lastChunk]),
  },
  'endless-tiny-chunks': {
    what: 'chunks of one space, for ever',
    on: 'answer',
    bytes: (sound) => joined([head(sound, chunked)], times(endlessly, chunk(' '))),
  },
  'endless-line': {
    what: 'an event stream of one line without an end',
    on: 'stream',
    bytes: (sound) => framed(sound, texts('data: ', times(endlessly, 'x'.repeat(1024)))),
  },
  'empty-events': {
    what: 'empty events, for ever',
    on: 'stream',
    bytes: (sound) => framed(sound, times(endlessly, 'data:\n\n')),
  },
  comments: {
    what: 'the sound stream behind two million comments',
    on: 'stream',
    bytes: (sound) => framed(sound, joined(times(2_000_000, ':\n'), [sound.body])),
  },
  'endless-comments': {
    what: 'comments, for ever',
    on: 'stream',
    bytes: (sound) => framed(sound, times(endlessly, ':\n')),
  },
  'blank-lines': {
    what: 'blank lines before the stream, for ever',
    on: 'stream',
    bytes: (sound) => framed(sound, times(endlessly, '\n')),
  },
  'data-lines': {
    what: 'one event of lines without an end',
    on: 'stream',
    bytes: (sound) => framed(sound, times(endlessly, 'data: x\n')),
  },
  'header-lines': {
    what: '5000 short header lines',
    on: 'answer',
    bytes: (sound) => [
      head(sound, `content-length: ${sound.body.length}${crlf}`, `x:${crlf}`.repeat(5000)),
      sound.body,
    ],
  },
  'endless-headers': {
    what: 'header lines, for ever',
    on: 'answer',
    bytes: () => texts(`HTTP/1.1 200 OK${crlf}`, times(endlessly, `x-a: b${crlf}`)),
  },
  'endless-early-hints': {
    what: 'informational answers, for ever',
    on: 'answer',
    bytes: () => times(endlessly, `HTTP/1.1 103 Early Hints${crlf}${crlf}`),
  },
  'endless-continue': {
    what: '100 Continue, for ever',
    on: 'answer',
    bytes: () => times(endlessly, `HTTP/1.1 100 Continue${crlf}${crlf}`),
  },
  'endless-trailers': {
    what: 'trailers, for ever',
    on: 'answer',
    bytes: (sound) =>
      joined(
        [head(sound, chunked), chunk(sound.body)],
        texts(`0${crlf}`),
        times(endlessly, `x: y${crlf}`),
      ),
  },
  'deep-list': {
    what: 'lists nested 100 000 deep in the sound body',
    on: 'json',
    bytes: (sound) => framed(sound, withMember(sound, texts('"zz":', nested(100_000), ','))),
  },
  'deep-object': {
    what: 'objects nested 100 000 deep in the sound body',
    on: 'json',
    bytes: (sound) =>
      framed(sound, withMember(sound, texts('"zz":', nested(100_000, ['{"a":', '}']), ','))),
  },
  'many-keys': {
    what: '500 000 members in the sound body',
    on: 'json',
    bytes: (sound) => framed(sound, withMember(sound, keys(500_000))),
  },
  'long-id': {
    what: 'ids of 2 MB',
    on: 'json',
    bytes: (sound) => {
      const [before = '', after] = sound.body.toString().split(/(?<="id":\s*")/);
      if (after === undefined) return framed(sound, [sound.body]);
      return framed(sound, texts(before, times(2048, 'i'.repeat(1024)), after));
    },
  },
  'long-text': {
    what: 'a sound body of 400 KB',
    on: 'json',
    bytes: (sound) => framed(sound, joined(times(400 * 1024, ' '), [sound.body])),
  },
  prototype: {
    what: 'members that prototypes have',
    ...members(
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,',
    ),
  },
  duplicates: {
    what: 'members that stand twice',
    ...members('"id":1,"model":1,"usage":1,"object":1,'),
  },
  surrogates: { what: 'lone surrogates', ...members('"zz":"\\ud800","\\udc00":"\\udfff",') },
  numbers: {
    what: 'numbers that no double holds',
    ...members(
      `"a":1e400,"b":-1e400,"c":-0,"d":${'9'.repeat(10_000)},"e":0.${'0'.repeat(10_000)}1,`,
    ),
  },
  nan: { what: 'NaN, which is no JSON', ...members('"a":NaN,') },
  'byte-order-mark': {
    what: 'a byte order mark before the sound body',
    on: 'json',
    bytes: (sound) =>
      framed(
        sound,
        joined(
          ['\u{FEFF}'].map((text) => Buffer.from(text)),
          [sound.body],
        ),
      ),
  },
  'empty-frames': {
    what: 'empty text frames, for ever',
    on: 'socket',
    bytes: () => times(endlessly, frame(1)),
  },
  'tiny-frames': {
    what: 'text frames of one byte, for ever',
    on: 'socket',
    bytes: () => times(endlessly, frame(1, '1')),
  },
  pongs: { what: 'pongs, for ever', on: 'socket', bytes: () => times(endlessly, frame(10)) },
  pings: { what: 'pings, for ever', on: 'socket', bytes: () => times(endlessly, frame(9)) },
  fragments: {
    what: 'one message in empty fragments, for ever',
    on: 'socket',
    bytes: () => joined([frame(1, 'x', false)], times(endlessly, frame(0, '', false))),
  },
  'deep-frame': {
    what: 'a frame of lists nested 200 000 deep',
    on: 'socket',
    bytes: () => [frame(1, Buffer.concat([...nested(200_000)]))],
  },
  'huge-frame': {
    what: 'a frame that announces a gibibyte',
    on: 'socket',
    bytes: () => [
      Buffer.from([0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]),
      ...times(1024, 'x'.repeat(together)),
    ],
  },
} as const satisfies Readonly<Record<string, Recipe>>;

export type RecipeName = keyof typeof recipes;

function* joined(...parts: readonly Iterable<Buffer>[]): Generator<Buffer> {
  for (const part of parts) yield* part;
}
