import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Answer,
  type Context,
  type Event,
  errorText,
  type Json,
  type Route,
  send,
} from './testing-exchange.ts';
import { translations } from './testing-translate.ts';

// A small gateway with a provider behind it, for the proof of the rows about both sides. It shares no code with what
// judges it. Each decision is one function, which a fault replaces.

/** Decisions of the proxy. */
export interface Seams {
  /** Body for the provider, after it was translated. */
  ask(body: Json, context: Context): Json;
  askHeaders(headers: Record<string, string>, context: Context): Record<string, string>;
  /** True to ask once more after an answer. */
  again(status: number, tries: number, context: Context): boolean;
  /** Events of the provider, before they are written for the client. Translated routes only. */
  event(event: Event, context: Context): readonly Event[];
  /** Bytes of a stream or a body of the provider. Routes of one protocol only. */
  pass(text: string, context: Context): string;
  /** Text of a server-sent event as the reader of a translated route takes it. Null skips it. */
  read(block: string, context: Context): string | null;
  /** The answer for a refusal of the provider. */
  refused(told: Answer, provider: Answer, context: Context): Answer;
  answerHeaders(
    own: Record<string, string>,
    provider: IncomingHttpHeaders,
  ): Record<string, string | string[]>;
  /** Treatment of a stream without an end. */
  broken(context: Context): 'break' | 'end' | 'finish';
  /** True if a whole body of the provider is an answer. */
  isAnswer(body: unknown, context: Context): boolean;
  /** Bytes of one read as text. */
  decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string;
  /** The blocks of a stream that one read has completed. */
  inOneRead(blocks: readonly string[]): readonly string[];
  /** A whole body that was written for the client. Translated routes only. */
  body(text: string, context: Context): string;
  /** True to ask the provider, and never to answer the client. */
  hangs(context: Context): boolean;
  /** True to leave the provider when the client has left. */
  leaves(): boolean;
}

const rightSeams: Seams = {
  ask: (body) => body,
  askHeaders: (headers) => headers,
  again: () => false,
  event: (event) => [event],
  pass: (text) => text,
  read: (block) => block,
  refused: (told) => told,
  answerHeaders: (own) => own,
  broken: () => 'break',
  isAnswer: (body, { route }) => {
    const { choices, type } = Object(body) as Json;
    return route.asks === 'chat' ? Array.isArray(choices) : type === 'message';
  },
  decode: (decoder, bytes) => decoder.decode(bytes, { stream: true }),
  inOneRead: (blocks) => blocks,
  body: (text) => text,
  hangs: () => false,
  leaves: () => true,
};

interface ProxyOptions {
  readonly routes: readonly Route[];
  readonly clientKey: string;
  readonly providerKey: string;
  /** Base address of the provider, known once it listens. */
  readonly provider: () => string;
  readonly seams?: Partial<Seams>;
}

export interface RunningProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const seams = { ...rightSeams, ...options.seams };
  const server = createServer((request, out) => {
    out.on('error', () => out.destroy());
    serve(request, out, seams, options).catch((error) => {
      if (out.headersSent) out.destroy();
      else
        out
          .writeHead(500, { 'content-type': 'application/json' })
          .end(`{"error":{"message":"${error}"}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  out: ServerResponse,
  seams: Seams,
  { routes, clientKey, providerKey, provider }: ProxyOptions,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://proxy');
  const front = pathname.endsWith('/messages') ? 'messages' : 'chat';
  const refuse = (status: number, message: string): void => {
    send(out, { status, headers: {}, body: errorText(front, status, message) });
  };
  const { authorization = '', 'x-api-key': key = authorization.replace(/^Bearer /i, '') } =
    request.headers;
  if (key !== clientKey) return refuse(401, 'Wrong key.');
  if (pathname === '/v1/models') {
    const data = routes.map(({ model }) => ({
      id: model,
      object: 'model',
      created: 1,
      owned_by: 'proxy',
    }));
    return send(out, { status: 200, headers: {}, body: JSON.stringify({ object: 'list', data }) });
  }
  if (!/^\/v1\/(chat\/completions|messages)$/.test(pathname)) return refuse(404, 'No such path.');
  const asked = parse(await text(request)) as Json;
  const route = routes.find(({ model }) => model === asked.model);
  if (route === undefined) return refuse(404, 'No such model.');
  const context: Context = {
    front,
    route,
    asked,
    headers: request.headers,
    key: clientKey,
    dropped: [],
    written: (body) => seams.body(body, context),
  };
  const isSame = front === route.asks;
  const translated = isSame ? asked : translations[front].request(asked, context.dropped);
  const usage = route.asks === 'chat' ? { stream_options: { include_usage: true } } : {};
  const streams = isSame ? {} : { stream: true, ...usage };
  const body = seams.ask({ ...translated, ...streams, model: route.as }, context);
  const path = route.asks === 'chat' ? '/v1/chat/completions' : '/v1/messages';
  const headers = seams.askHeaders(
    {
      'content-type': 'application/json',
      ...(route.asks === 'chat'
        ? { authorization: `Bearer ${providerKey}` }
        : { 'x-api-key': providerKey, 'anthropic-version': '2023-06-01' }),
    },
    context,
  );
  const asking = { address: provider() + path, headers, body: JSON.stringify(body) };
  let tries = 1;
  let answer = await ask(asking, out, seams);
  while (answer !== null && seams.again(answer.statusCode ?? 0, tries, context)) {
    answer.resume();
    tries++;
    answer = await ask(asking, out, seams);
  }
  if (seams.hangs(context)) return;
  if (answer === null) return refuse(502, 'The provider did not answer.');
  const status = answer.statusCode ?? 502;
  if (status >= 400) {
    const whole = await text(answer).catch(() => '');
    const told = status === 401 || status === 403 ? 502 : status;
    const { 'retry-after': wait } = answer.headers;
    const own: Answer = {
      status: told,
      headers: wait === undefined ? {} : { 'retry-after': wait },
      body: errorText(front, told, `The provider answered ${status}.`),
    };
    return send(out, seams.refused(own, { status, headers: answer.headers, body: whole }, context));
  }
  const dropped: Record<string, string> =
    context.dropped.length === 0 ? {} : { 'x-dropped': context.dropped.join(', ') };
  const answerHeaders = seams.answerHeaders(dropped, answer.headers);
  if (isSame) await passOn(answer, out, answerHeaders, seams, context);
  else await translate(answer, out, answerHeaders, seams, context);
}

interface Asking {
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Asks the provider. Null: no answer came. */
function ask(
  { address, headers, body }: Asking,
  out: ServerResponse,
  seams: Seams,
): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    const asked = requestOf(address, { method: 'POST', headers, agent: false });
    asked.on('response', resolve).on('error', () => resolve(null));
    out.on('close', () => {
      if (!out.writableFinished && seams.leaves()) asked.destroy();
    });
    asked.end(body);
  });
}

/** Passes an answer on byte by byte, and breaks the connection where it has no end. */
async function passOn(
  answer: IncomingMessage,
  out: ServerResponse,
  headers: Record<string, string | string[]>,
  seams: Seams,
  context: Context,
): Promise<void> {
  const type = answer.headers['content-type'] ?? '';
  if (context.asked.stream !== true || !type.startsWith('text/event-stream')) {
    const whole = await text(answer).catch(() => '');
    if (!seams.isAnswer(parse(whole), context)) {
      const body = errorText(context.front, 502, 'The provider gave no answer.');
      return send(out, { status: 502, headers: {}, body });
    }
    return send(out, { status: 200, headers, body: seams.pass(whole, context) });
  }
  out.writeHead(200, { 'content-type': type, ...headers });
  out.flushHeaders();
  let seen = '';
  try {
    for await (const piece of blocks(answer, seams)) {
      seen = (seen + piece).slice(-400);
      out.write(seams.pass(piece, context));
    }
  } catch {
    // The end of what came tells whether it was whole.
  }
  const isWhole = /data: ?\[DONE\]|"type": ?"message_stop"|"type":"error"|data: ?\{"error"/.test(
    seen,
  );
  if (isWhole) out.end();
  else finish(out, seams, context, () => translations[context.front].writer(context, out).done());
}

function finish(out: ServerResponse, seams: Seams, context: Context, done: () => void): void {
  const what = seams.broken(context);
  if (what === 'finish') done();
  if (what === 'break') out.destroy();
  else out.end();
}

/** Reads the stream of another protocol, and writes it in that of the client. */
async function translate(
  answer: IncomingMessage,
  out: ServerResponse,
  headers: Record<string, string | string[]>,
  seams: Seams,
  context: Context,
): Promise<void> {
  const writer = translations[context.front].writer(context, out, headers);
  const reader = translations[context.route.asks].reader();
  let isOver = false;
  const take = (events: readonly Event[]): void => {
    for (const event of events.flatMap((one) => seams.event(one, context))) {
      if (event.type === 'done' || event.type === 'error') isOver = true;
      writer.write(event);
    }
  };
  try {
    for await (const block of blocks(answer, seams)) {
      const taken = seams.read(block, context);
      if (taken !== null) take(reader(taken));
    }
  } catch {
    // The missing end is told below.
  }
  if (isOver) return;
  if (context.asked.stream !== true) {
    if (seams.broken(context) === 'finish') {
      writer.write({ type: 'done' });
      return;
    }
    const body = errorText(context.front, 502, 'The provider cut its answer.');
    return send(out, { status: 502, headers: {}, body });
  }
  finish(out, seams, context, () => writer.done());
}

/** Blocks of a stream, each with the blank line that ends it. */
async function* blocks(answer: IncomingMessage, seams: Seams): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of answer) {
    rest += seams.decode(decoder, piece);
    const found: string[] = [];
    for (;;) {
      const [end] = /\r?\n\r?\n/.exec(rest) ?? [];
      if (end === undefined) break;
      const length = rest.indexOf(end) + end.length;
      found.push(rest.slice(0, length));
      rest = rest.slice(length);
    }
    yield* seams.inOneRead(found);
  }
}

async function text(message: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of message) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces).toString();
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
