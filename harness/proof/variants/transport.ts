import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Context, Defect, Head, Headers, StreamContext } from '../../reference/index.ts';
import { seam, servedHeaders } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Different bytes for equivalent server-sent events.

/** Rewrites each serialized event. */
function written(change: (text: string, context: StreamContext) => string): Defect['override'] {
  return seam(
    'frames',
    'serialize',
    (native) => (event, context) => change(native(event, context), context),
  );
}

/** Writes one text before the first event of each stream, and another after the last. */
function around(before: string, after = (_: StreamContext): string => ''): Defect['override'] {
  return seam('transport', 'stream', (native) => (out, head, pieces, context) => {
    const all = async function* () {
      yield before;
      yield* pieces;
      yield after(context);
    };
    return native(out, head, all(), context);
  });
}

/** False for generative-content, whose official client accepts only events that start with their data. */
function isForgiving({ call }: StreamContext): boolean {
  return call.dialect.name !== 'generative';
}

const framingVariants: readonly Variant[] = planted({
  'framing.crlf': written((text) => text.replaceAll('\n', '\r\n')),
  'framing.cr': written((text) => text.replaceAll('\n', '\r')),
  'framing.bom': around('\uFEFF'),
  'framing.comments': written((text) => `: keep-alive\n\n${text}`),
  'framing.comment-first': around(':\n\n'),
  'framing.comment-last': around('', (context) => (isForgiving(context) ? ': bye' : '')),
  'framing.blank-lines': written((text) => `${text}\n`),
  'framing.retry': around('retry: 3000\n\n'),
  'framing.no-space': written((text) => text.replace(/^(event|data): /gm, '$1:')),
  'framing.data-before-event': written((text) =>
    text.replace(/^(event: .*\n)((?:data: .*\n)+)/, '$2$1'),
  ),
  'framing.multi-line-data': written((text, context) =>
    isForgiving(context)
      ? text.replace(/^data: (\{.*)$/m, (_, json: string) =>
          JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: '),
        )
      : text,
  ),
  'framing.unknown-field': written((text, context) =>
    isForgiving(context) ? text.replace(/\n\n$/, '\nregion: eu\n\n') : text,
  ),
  'framing.escaped-json': written((text) =>
    text.replace(
      /^data: \{(.*)\}$/m,
      (_, members: string) => `data:  { ${members.replaceAll('/', '\\/')} } `,
    ),
  ),
});

// Variants with other packets, other headers, or another pace.

function allHeaders(change: (headers: Headers, context: Context) => Headers): Defect['override'] {
  return seam(
    'encode',
    'headers',
    (native) => (kind, headers, context) => change(native(kind, headers, context), context),
  );
}

function sending(
  send: (out: ServerResponse, head: Head, body: string, context: Context) => Promise<void>,
): Defect['override'] {
  return () => ({ transport: { send } });
}

const transportOwnVariants: readonly Variant[] = planted({
  'transport.byte-by-byte': () => ({
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
  'transport.one-chunk': seam(
    'transport',
    'stream',
    (native) => async (out, head, pieces, context) => {
      if (context.record?.background) return native(out, head, pieces, context);
      let whole = '';
      for await (const piece of pieces) whole += piece;
      if (!out.destroyed) out.writeHead(head.status, head.headers).end(whole);
    },
  ),
  'transport.cut-anywhere': seam(
    'transport',
    'stream',
    (native) => (out, head, pieces, context) => native(out, head, shifted(pieces), context),
  ),
  'transport.chunked-json': sending(async (out, head, body) => {
    out.writeHead(head.status, head.headers);
    const bytes = Buffer.from(body);
    for (let i = 0; i < bytes.length; i += 7) {
      out.write(bytes.subarray(i, i + 7));
      if (i % 700 === 0) await setImmediate();
    }
    out.end();
  }),
  'transport.indented-json': seam(
    'transport',
    'send',
    (native) => (out, head, body, context) =>
      native(out, head, `${JSON.stringify(JSON.parse(body), null, 2)}\n`, context),
  ),
  'transport.escaped-json': seam(
    'transport',
    'send',
    (native) => (out, head, body, context) =>
      native(out, head, body.replaceAll('/', '\\/').replaceAll('e"', '\\u0065"'), context),
  ),
  'transport.gzip-when-asked': seam(
    'transport',
    'send',
    (native) => async (out, head, body, context) => {
      const accepted = context.call.headers['accept-encoding'] ?? '';
      if (!/\bgzip\b/.test(accepted)) return native(out, head, body, context);
      const bytes = gzipSync(body);
      out.writeHead(head.status, {
        ...head.headers,
        vary: 'accept-encoding',
        'content-encoding': 'gzip',
        'content-length': String(bytes.length),
      });
      out.end(bytes);
    },
  ),
  'transport.gzip-always': () => ({
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
  'transport.slow-first-byte': ({ transport }) => ({
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
  'transport.head-first': sending(async (out, head, body) => {
    out.writeHead(head.status, head.headers);
    out.flushHeaders();
    await sleep(20);
    out.end(body);
  }),
  'transport.connection-closed': allHeaders((headers) => ({ ...headers, connection: 'close' })),
  'transport.capitalised-headers': allHeaders((headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase()),
        value,
      ]),
    ),
  ),
  'transport.more-headers': allHeaders((headers) => ({
    ...headers,
    server: 'edge',
    via: '1.1 edge',
    'x-ratelimit-limit-requests': '5000',
    'x-ratelimit-remaining-requests': '4999',
    'set-cookie': 'edge=1; Path=/; HttpOnly',
    'strict-transport-security': 'max-age=31536000',
  })),
  'transport.no-request-id': allHeaders((headers, { call }) =>
    Object.fromEntries(
      Object.entries(headers).filter(([name]) => name !== call.dialect.requestIdHeader),
    ),
  ),
  'transport.json-with-charset': servedHeaders((kind) => !kind.endsWith('.stream'), {
    'content-type': 'application/json; charset=utf-8',
  }),
  'transport.json-suffix': servedHeaders((kind) => !kind.endsWith('.stream'), {
    'content-type': 'application/vnd.gateway.v1+json',
  }),
  'transport.problem-json': allHeaders((headers, { refusal }) =>
    refusal === null ? headers : { ...headers, 'content-type': 'application/problem+json' },
  ),
  'transport.bare-event-stream': servedHeaders((kind) => kind.endsWith('.stream'), {
    'content-type': 'Text/Event-Stream',
  }),
});

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
