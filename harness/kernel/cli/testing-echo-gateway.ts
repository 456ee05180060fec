import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';

/** A gateway for tests that repeats every request, each time in another encoding. */
interface EchoGateway {
  readonly url: string;
  /** Number of uses of each encoding and answer, by name. */
  readonly used: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Encodings of the text of a request: bytes, or words of a header or a JSON string. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => base64(text, 'base64'),
  'base64 behind one byte': (text) => base64(`x${text}`, 'base64'),
  'base64 behind two bytes': (text) => base64(`xx${text}`, 'base64'),
  base64url: (text) => base64(text, 'base64url'),
  'URL-encoded': encodeURIComponent,
  'as a form': (text) => new URLSearchParams({ text }).toString(),
  JSON: (text) => JSON.stringify(text),
  hex: (text) => Buffer.from(text).toString('hex'),
};

/** Forms of the answer. */
type Answer = (echo: string, answer: ServerResponse) => void;
const answers: Readonly<Record<string, Answer>> = {
  'a JSON body': (echo, answer) => json(answer, 200, { id: echo, object: 'response', echo }),
  'an error body': (echo, answer) =>
    json(answer, 401, {
      error: { type: 'authentication_error', message: `No: ${echo}`, code: echo },
    }),
  'a bad request': (echo, answer) =>
    json(answer, 400, { type: 'error', error: { type: 'invalid_request_error', message: echo } }),
  'an error body of a careful JSON writer': (echo, answer) => {
    const body = JSON.stringify({
      error: { type: 'authentication_error', message: `No: ${echo}` },
    });
    const escaped = body.replace(
      /[+&'<>=%/]/g,
      (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    answer.writeHead(401, { 'content-type': 'application/json' }).end(escaped);
  },
  'deltas of a stream, a few characters each': (echo, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of echo.slice(0, 300).match(/.{1,3}/gs) ?? []) {
      const data = {
        type: 'response.output_text.delta',
        output_index: 0,
        delta,
        choices: [{ index: 0, delta: { content: delta } }],
      };
      answer.write(`data: ${JSON.stringify(data)}\n\n`);
    }
    answer.end('data: [DONE]\n\n');
  },
  'a page': (echo, answer) => {
    answer.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${echo}</pre>`);
  },
  headers: (echo, answer) => {
    const word = echo.replace(/[^ -~]/g, ' ');
    answer.writeHead(302, {
      location: `/login?back=${word}`,
      'x-echo': word,
      'x-request-id': word,
    });
    answer.end();
  },
  'a stream that is cut inside of it': (echo, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    const frame = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', echo })}\n\n`;
    const middle = Math.floor(frame.length / 2);
    answer.write(frame.slice(0, middle));
    setImmediate(() => {
      answer.write(frame.slice(middle));
      answer.end(`data: ${echo}`);
    });
  },
  'bytes that are no text': (echo, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end(Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(echo)]));
  },
  'gzip that nobody asked for': (echo, answer) => packed(answer, 'gzip', gzipSync(echo)),
  'Brotli that nobody asked for': (echo, answer) => packed(answer, 'br', brotliCompressSync(echo)),
  'packed twice': (echo, answer) =>
    packed(answer, 'deflate, gzip', gzipSync(deflateSync(JSON.stringify({ echo })))),
  'packed, and called something else': (echo, answer) => packed(answer, 'zstd', gzipSync(echo)),
  'packed in secret': (echo, answer) => packed(answer, null, gzipSync(echo)),
  'a compressed stream that is cut': (echo, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const bytes = gzipSync(`data: ${echo}\n\n`);
    answer.write(bytes.subarray(0, -6), () => answer.destroy());
  },
  'a response that is cut': (echo, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000000' });
    answer.write(echo, () => answer.destroy());
  },
};

export async function startEchoGateway(): Promise<EchoGateway> {
  const used = new Map<string, number>();
  let turn = 0;
  let upgrades = 0;
  /** Returns the next form, so that every encoding is combined with every answer. */
  const next = <Value>(ways: Readonly<Record<string, Value>>, at: number): Value => {
    const entries = Object.entries(ways);
    const [name, value] = entries[at % entries.length] ?? [];
    if (name === undefined || value === undefined) throw new Error('There is no way.');
    used.set(name, (used.get(name) ?? 0) + 1);
    return value;
  };
  const echoOf = (request: IncomingMessage, body: string): string => {
    const { authorization = '' } = request.headers;
    const lines = [authorization, `${request.url}`, body, request.rawHeaders.join('\n')];
    return next(writings, turn++)(lines.join('\n'));
  };
  const server = createServer((request, answer) => {
    // Some keys are sent only once, so each answer also repeats the headers unchanged.
    answer.setHeader('x-heard', request.rawHeaders.join(' '));
    let body = '';
    request.on('error', () => undefined);
    request.setEncoding('utf8').on('data', (piece) => (body += piece));
    request.on('end', () => {
      const echo = echoOf(request, body);
      // The first request has to find a gateway, or there is no run.
      if (request.url === '/v1/models') json(answer, 200, { object: 'list', data: [], echo });
      else next(answers, Math.floor(turn / Object.keys(writings).length) + turn)(echo, answer);
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('headers', (headers, request) => {
    headers.push(`x-echo: ${echoOf(request, '').replace(/[^ -~]/g, ' ')}`);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    // Upgrades are counted separately, because their turn depends on the other requests.
    const way = upgrades++ % 3;
    if (way > 0) {
      const coded = way === 2;
      used.set(coded ? 'an upgrade refused in gzip' : 'a refused upgrade', 1);
      const echo = echoOf(request, '');
      const body = coded ? gzipSync(echo) : Buffer.from(echo);
      socket.write(
        `HTTP/1.1 403 Forbidden\r\ncontent-length: ${body.length}\r\n` +
          `${coded ? 'content-encoding: gzip\r\n' : ''}connection: close\r\n\r\n`,
      );
      socket.end(body);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      used.set('a WebSocket', 1);
      open.on('error', () => undefined);
      open.on('message', (data) => {
        const echo = echoOf(request, String(data));
        open.send(JSON.stringify({ type: 'error', error: { message: echo } }));
        open.send(Buffer.from(echo));
        open.close(1008, (request.headers.authorization ?? '').slice(0, 100));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    used,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param coding claimed content coding, or null for none */
function packed(answer: ServerResponse, coding: string | null, bytes: Buffer): void {
  answer.writeHead(200, {
    'content-type': 'application/json',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  });
  answer.end(bytes);
}

function json(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function base64(text: string, encoding: 'base64' | 'base64url'): string {
  return Buffer.from(text).toString(encoding);
}
