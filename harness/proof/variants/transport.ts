import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type {
  Context,
  Defect,
  DialectName,
  Head,
  Headers,
  StreamContext,
} from '../../reference/index.ts';
import { servedHeaders } from '../planting.ts';
import type { Variant } from './variant.ts';

// Other bytes for the same server-sent events.

/** Rewrites each event as it is written. */
function written(change: (text: string, context: StreamContext) => string): Defect['override'] {
  return ({ frames }) => ({
    frames: {
      serialize: (event, context) => change(frames.serialize(event, context), context),
    },
  });
}

/** Something before the first event of each stream. */
function beginning(text: string): Defect['override'] {
  return ({ transport }) => ({
    transport: {
      stream: (out, head, pieces, context) =>
        transport.stream(
          out,
          head,
          (async function* () {
            yield text;
            yield* pieces;
          })(),
          context,
        ),
    },
  });
}

/** The official client of generative-content takes an event that begins with its data, and no other. */
function isForgiving({ call }: StreamContext): boolean {
  const strict: readonly DialectName[] = ['generative'];
  return !strict.includes(call.dialect.name);
}

const framingVariants: readonly Variant[] = [
  {
    id: 'framing.crlf',
    what: 'Lines of a stream end in CR LF.',
    override: written((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    id: 'framing.cr',
    what: 'Lines of a stream end in CR alone.',
    override: written((text) => text.replaceAll('\n', '\r')),
  },
  {
    id: 'framing.bom',
    what: 'A stream begins with a byte order mark.',
    override: beginning('\uFEFF'),
  },
  {
    id: 'framing.comments',
    what: 'A comment stands before each event, to keep the connection open.',
    override: written((text) => `: keep-alive\n\n${text}`),
  },
  {
    id: 'framing.comment-first',
    what: 'A stream begins with a comment, before the model has written anything.',
    override: beginning(':\n\n'),
  },
  {
    id: 'framing.comment-last',
    what: 'A comment without an end of line stands behind the last event.',
    override: ({ transport }) => ({
      transport: {
        stream: (out, head, pieces, context) =>
          transport.stream(
            out,
            head,
            (async function* () {
              yield* pieces;
              if (isForgiving(context)) yield ': bye';
            })(),
            context,
          ),
      },
    }),
  },
  {
    id: 'framing.blank-lines',
    what: 'Two blank lines stand between events.',
    override: written((text) => `${text}\n`),
  },
  {
    id: 'framing.retry',
    what: 'A stream begins by saying when to connect again.',
    override: beginning('retry: 3000\n\n'),
  },
  {
    id: 'framing.no-space',
    what: 'No space follows the colon of a field.',
    override: written((text) => text.replace(/^(event|data): /gm, '$1:')),
  },
  {
    id: 'framing.data-before-event',
    what: 'The `event:` line stands after the data.',
    override: written((text) => text.replace(/^(event: .*\n)((?:data: .*\n)+)/, '$2$1')),
  },
  {
    id: 'framing.multi-line-data',
    what: 'The JSON of an event is spread over several `data:` lines.',
    override: written((text, context) =>
      isForgiving(context)
        ? text.replace(/^data: (\{.*)$/m, (_, json: string) =>
            JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: '),
          )
        : text,
    ),
  },
  {
    id: 'framing.unknown-field',
    what: 'Events have a field that the standard tells clients to ignore.',
    override: written((text, context) =>
      isForgiving(context) ? text.replace(/\n\n$/, '\nregion: eu\n\n') : text,
    ),
  },
  {
    id: 'framing.escaped-json',
    what: 'The JSON of events has spaces, and escapes where it needs none.',
    override: written((text) =>
      text.replace(
        /^data: \{(.*)\}$/m,
        (_, members: string) => `data:  { ${members.replaceAll('/', '\\/')} } `,
      ),
    ),
  },
];

// Variants with other packets, other headers, or another pace.

/** Changes the headers of everything that is answered. */
function allHeaders(change: (headers: Headers, context: Context) => Headers): Defect['override'] {
  return ({ encode }) => ({
    encode: {
      headers: (kind, headers, context) => change(encode.headers(kind, headers, context), context),
    },
  });
}

/** Sends the body of every JSON answer in another way. */
function sending(
  send: (out: ServerResponse, head: Head, body: string, context: Context) => Promise<void>,
): Defect['override'] {
  return () => ({ transport: { send } });
}

const transportOwnVariants: readonly Variant[] = [
  {
    id: 'transport.byte-by-byte',
    what: 'Every byte of a stream is a chunk of its own.',
    override: () => ({
      transport: {
        async stream(out, head, pieces) {
          out.writeHead(head.status, head.headers);
          for await (const piece of pieces) {
            for (const byte of Buffer.from(piece)) {
              if (out.destroyed) return;
              out.write(Uint8Array.of(byte));
            }
            await setImmediate();
          }
          out.end();
        },
      },
    }),
  },
  {
    id: 'transport.one-chunk',
    what: 'The stream of an answer that is waited for comes in one chunk, at its end.',
    override: ({ transport }) => ({
      transport: {
        async stream(out, head, pieces, context) {
          if (context.record?.background) return transport.stream(out, head, pieces, context);
          let whole = '';
          for await (const piece of pieces) whole += piece;
          if (!out.destroyed) out.writeHead(head.status, head.headers).end(whole);
        },
      },
    }),
  },
  {
    id: 'transport.cut-anywhere',
    what: 'The chunks of a stream end in the middle of lines.',
    override: ({ transport }) => ({
      transport: {
        stream: (out, head, pieces, context) =>
          transport.stream(out, head, shifted(pieces), context),
      },
    }),
  },
  {
    id: 'transport.chunked-json',
    what: 'A JSON body is sent in chunks, without its length.',
    override: sending(async (out, head, body) => {
      out.writeHead(head.status, head.headers);
      const bytes = Buffer.from(body);
      for (let i = 0; i < bytes.length; i += 7) {
        out.write(bytes.subarray(i, i + 7));
        if (i % 700 === 0) await setImmediate();
      }
      out.end();
    }),
  },
  {
    id: 'transport.indented-json',
    what: 'JSON bodies are indented, and end with a line end.',
    override: ({ transport }) => ({
      transport: {
        send: (out, head, body, context) =>
          transport.send(out, head, `${JSON.stringify(JSON.parse(body), null, 2)}\n`, context),
      },
    }),
  },
  {
    id: 'transport.escaped-json',
    what: 'JSON bodies have escapes where they need none.',
    override: ({ transport }) => ({
      transport: {
        send: (out, head, body, context) =>
          transport.send(
            out,
            head,
            body.replaceAll('/', '\\/').replaceAll('e"', '\\u0065"'),
            context,
          ),
      },
    }),
  },
  {
    id: 'transport.gzip-when-asked',
    what: 'A JSON body is compressed where the client takes gzip.',
    override: ({ transport }) => ({
      transport: {
        async send(out, head, body, context) {
          const accepted = context.call.headers['accept-encoding'] ?? '';
          if (!/\bgzip\b/.test(accepted)) return transport.send(out, head, body, context);
          const bytes = gzipSync(body);
          out.writeHead(head.status, {
            ...head.headers,
            vary: 'accept-encoding',
            'content-encoding': 'gzip',
            'content-length': String(bytes.length),
          });
          out.end(bytes);
        },
      },
    }),
  },
  {
    id: 'transport.gzip-always',
    what: 'Every answer is compressed, streams event by event, although the client takes none.',
    override: () => ({
      transport: {
        async send(out, head, body) {
          out.writeHead(head.status, { ...head.headers, 'content-encoding': 'gzip' });
          out.end(gzipSync(body));
        },
        async stream(out, head, pieces) {
          out.writeHead(head.status, { ...head.headers, 'content-encoding': 'gzip' });
          const coder = createGzip();
          coder.pipe(out);
          for await (const piece of pieces) {
            if (out.destroyed) return;
            coder.write(piece);
            await new Promise<void>((resolve) => coder.flush(() => resolve()));
          }
          coder.end();
        },
      },
    }),
  },
  {
    id: 'transport.slow-first-byte',
    what: 'Every answer takes a while until its first byte.',
    override: ({ transport }) => ({
      transport: {
        async send(out, head, body, context) {
          await sleep(60);
          await transport.send(out, head, body, context);
        },
        async stream(out, head, pieces, context) {
          await sleep(60);
          await transport.stream(out, head, pieces, context);
        },
      },
    }),
  },
  {
    id: 'transport.head-first',
    what: 'Status and headers of a JSON answer come well before its body.',
    override: sending(async (out, head, body) => {
      out.writeHead(head.status, head.headers);
      out.flushHeaders();
      await sleep(20);
      out.end(body);
    }),
  },
  {
    id: 'transport.connection-closed',
    what: 'Every answer closes its connection.',
    override: allHeaders((headers) => ({ ...headers, connection: 'close' })),
  },
  {
    id: 'transport.capitalised-headers',
    what: 'Header names are capitalised.',
    override: allHeaders((headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase()),
          value,
        ]),
      ),
    ),
  },
  {
    id: 'transport.more-headers',
    what: 'Answers have headers of a proxy, of a cache and of a rate limiter.',
    override: allHeaders((headers) => ({
      ...headers,
      server: 'edge',
      via: '1.1 edge',
      'x-ratelimit-limit-requests': '5000',
      'x-ratelimit-remaining-requests': '4999',
      'set-cookie': 'edge=1; Path=/; HttpOnly',
      'strict-transport-security': 'max-age=31536000',
    })),
  },
  {
    id: 'transport.no-request-id',
    what: 'Answers do not name the request.',
    override: allHeaders((headers, { call }) =>
      Object.fromEntries(
        Object.entries(headers).filter(([name]) => name !== call.dialect.requestIdHeader),
      ),
    ),
  },
  {
    id: 'transport.json-with-charset',
    what: 'The content type of JSON has a charset.',
    override: servedHeaders((kind) => !kind.endsWith('.stream'), {
      'content-type': 'application/json; charset=utf-8',
    }),
  },
  {
    id: 'transport.json-suffix',
    what: 'The content type of JSON is one of its own that ends in `+json`.',
    override: servedHeaders((kind) => !kind.endsWith('.stream'), {
      'content-type': 'application/vnd.gateway.v1+json',
    }),
  },
  {
    id: 'transport.problem-json',
    what: 'Errors are sent as application/problem+json.',
    override: allHeaders((headers, { refusal }) =>
      refusal === null ? headers : { ...headers, 'content-type': 'application/problem+json' },
    ),
  },
  {
    id: 'transport.bare-event-stream',
    what: 'The content type of a stream has no charset, and capital letters.',
    override: servedHeaders((kind) => kind.endsWith('.stream'), {
      'content-type': 'Text/Event-Stream',
    }),
  },
];

/** Splits a text at other places: nine characters before the end of each piece. */
async function* shifted(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    const end = Math.max(0, text.length - 9);
    if (end > 0) yield text.slice(0, end);
    rest = text.slice(end);
  }
  if (rest !== '') yield rest;
}

export const transportVariants: readonly Variant[] = [...framingVariants, ...transportOwnVariants];
