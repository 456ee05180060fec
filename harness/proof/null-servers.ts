import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';

/**
 * Servers with none of a gateway's functions. Their answers must satisfy no requirement: a check that one of them
 * passes examines too little.
 */
export const nullTargetKinds = [
  /** Accepts the request, and never answers. */
  'hangs',
  /** Status 200 and `{}`. */
  'empty-object',
  /** Status 200 and the page of a web server. */
  'html',
  /** Status 204. */
  'no-content',
  /** Status 301, to the same address. */
  'redirects',
  'unauthorized',
  'forbidden',
  'not-found',
  'rate-limited',
  'internal-error',
  'unavailable',
  /** Status 200 and the body of the request, with its content type. */
  'echo',
  /** Status 200 and one constant valid response of the Responses API for any request. */
  'one-good-response',
  /**
   * One valid response of the Responses API to every other request, and 500 to the rest, so that some checks have
   * no second answer to compare.
   */
  'good-response-or-none',
  /** Status 200 and an event stream that ends at once. */
  'empty-stream',
  /** Bytes that are not HTTP. */
  'garbage',
  /** Closes each connection without an answer. */
  'closes',
] as const;

export type NullTargetKind = (typeof nullTargetKinds)[number];

interface NullTarget {
  readonly kind: NullTargetKind;
  readonly baseUrl: string;
  /** Number of connections so far for kinds that read no requests; number of requests for the others. */
  requestCount(): number;
  close(): Promise<void>;
}

/** Starts one of these servers on a free port of 127.0.0.1. It listens when the promise resolves. */
export async function startNullTarget(kind: NullTargetKind): Promise<NullTarget> {
  let count = 0;
  const seen = (): void => {
    count++;
  };
  const { server, end } = serverOf(kind, seen);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error(`The null target '${kind}' does not listen on a port.`);
  }
  return {
    kind,
    baseUrl: `http://127.0.0.1:${address.port}`,
    requestCount: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        end();
      }),
  };
}

function serverOf(kind: NullTargetKind, seen: () => void): { server: Server; end(): void } {
  if (kind === 'garbage' || kind === 'closes') return socketServer(kind, seen);
  const answer =
    kind === 'good-response-or-none'
      ? inTurn(answers['one-good-response'], answers['internal-error'])
      : answers[kind];
  const server = httpServer(answer, seen);
  return { server, end: () => server.closeAllConnections() };
}

/** Answers an upgrade like any request, because no kind supports WebSocket. */
function httpServer(answer: RequestListener, seen: () => void): HttpServer {
  const server = createServer((request, out) => {
    seen();
    answer(request, out);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

function socketServer(
  kind: 'garbage' | 'closes',
  seen: () => void,
): { server: Server; end(): void } {
  const open = new Set<Socket>();
  const server = createSocketServer((socket) => {
    seen();
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (kind === 'closes') socket.destroy();
    else socket.once('data', () => socket.end('\u0000\u0001 no HTTP at all \u00ff\r\n\r\n'));
  });
  return {
    server,
    end: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Always answers with the same status, and with a body of no protocol. */
function always(status: number): RequestListener {
  return (_request, out) => {
    out.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
}

function text(contentType: string, body: string): RequestListener {
  return (_request, out) => {
    out.writeHead(200, { 'content-type': contentType }).end(body);
  };
}

function inTurn(...ways: readonly RequestListener[]): RequestListener {
  let count = 0;
  return (request, out) => ways[count++ % ways.length]?.(request, out);
}

type OneAnswer = Exclude<NullTargetKind, 'garbage' | 'closes' | 'good-response-or-none'>;

const answers: Readonly<Record<OneAnswer, RequestListener>> = {
  hangs: (request) => {
    request.resume();
  },
  'empty-object': always(200),
  html: text(
    'text/html; charset=utf-8',
    '<!doctype html><html><body><h1>It works!</h1></body></html>',
  ),
  'no-content': (_request, out) => {
    out.writeHead(204).end();
  },
  redirects: ({ url }, out) => {
    out.writeHead(301, { location: url ?? '/' }).end();
  },
  unauthorized: always(401),
  forbidden: always(403),
  'not-found': always(404),
  'rate-limited': always(429),
  'internal-error': always(500),
  unavailable: always(503),
  echo: (request, out) => {
    const contentType = request.headers['content-type'] ?? 'application/json';
    out.writeHead(200, { 'content-type': contentType });
    request.pipe(out);
  },
  'one-good-response': text('application/json', JSON.stringify(goodResponse())),
  'empty-stream': text('text/event-stream', ''),
};

function goodResponse(): object {
  const text = 'All is well, whatever it was that you asked.';
  return {
    id: 'resp_0000000000000000000000000000000000',
    object: 'response',
    created_at: 1_767_225_600,
    status: 'completed',
    background: false,
    completed_at: 1_767_225_601,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: 'ts-omni',
    output: [
      {
        id: 'msg_0000000000000000000000000000000000',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 19,
    },
    user: null,
  };
}
