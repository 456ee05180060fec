import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { words } from '../../reference/words.ts';

/** The key of the only user of the gateway. */
export const chatKey = 'canary-key-of-the-chat-gateway';

/** A typical small gateway: Chat Completions for one key, which is checked on every path first. */
export interface ChatGateway {
  readonly url: string;
  /** `POST /v1/chat/completions 200`, for each request that was answered. */
  readonly answered: readonly string[];
  close(): void;
}

/** Ids of its two models. */
const chatModels = ['pico-1', 'pico-2'] as const;

export interface ChatGatewayOptions {
  /** Unless true, `stop` is ignored, and `usage.prompt_tokens` of a stream is 0. */
  readonly fixed?: boolean;
  /** True if it answers only in one body, and refuses to stream. */
  readonly refusesStreams?: boolean;
}

/** Starts the gateway on a free port. It answers in one body and as a stream. */
export async function startChatGateway(options: ChatGatewayOptions = {}): Promise<ChatGateway> {
  const answered: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    response.on('finish', () =>
      answered.push(`${request.method} ${request.url} ${response.statusCode}`),
    );
    try {
      answer(request, response, body, options);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      json(response, error.status, {
        error: { message: error.message, type: error.type, param: error.param, code: error.code },
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, answered, close };
}

/** Refusal of a feature that the gateway does not serve, in the format of the protocol. */
class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: number,
    message: string,
    param: string | null = null,
    code: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }

  get type(): string {
    return this.status === 401 ? 'authentication_error' : 'invalid_request_error';
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  options: ChatGatewayOptions,
): void {
  const { authorization = '' } = request.headers;
  if (authorization.replace(/^bearer /i, '') !== chatKey) {
    throw new Refusal(401, 'The key is missing or unknown.', null, 'invalid_api_key');
  }
  const { pathname } = new URL(request.url ?? '/', 'http://gateway');
  if (request.method === 'GET' && pathname === '/v1/models') {
    const data = chatModels.map((id) => ({ id, object: 'model', created: 1, owned_by: 'pico' }));
    json(response, 200, { object: 'list', data });
    return;
  }
  if (request.method !== 'POST' || pathname !== '/v1/chat/completions') {
    throw new Refusal(404, `There is no ${request.method} ${pathname}.`);
  }
  complete(response, read(body), options);
}

/** The members of a request that are read. */
interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly limit: number;
  readonly stop: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

const served = new Set([
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'stop', 'stream'],
  ...['stream_options', 'temperature', 'top_p', 'seed', 'user', 'n', 'store', 'metadata'],
]);

function read(text: string): Asked {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'The body is not an object.');
  }
  const { model, messages, stop = [], stream = false, n = 1 } = body;
  if (typeof model !== 'string') throw new Refusal(400, 'model must be a string', 'model');
  if (!chatModels.some((one) => one === model)) {
    throw new Refusal(404, 'The model does not exist.', 'model', 'model_not_found');
  }
  const other = Object.keys(body).find((name) => !served.has(name));
  if (other !== undefined) throw new Refusal(400, `${other} is not supported`, other);
  if (n !== 1) throw new Refusal(400, 'n must be 1', 'n');
  if (typeof stream !== 'boolean') throw new Refusal(400, 'stream must be a boolean', 'stream');
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new Refusal(400, 'messages must be a list that is not empty', 'messages');
  }
  const { max_completion_tokens: limit = body.max_tokens ?? 400 } = body;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    throw new Refusal(400, 'max_completion_tokens must be a whole number above 0', 'max_tokens');
  }
  const stops = [stop].flat();
  if (!stops.every((one): one is string => typeof one === 'string')) {
    throw new Refusal(400, 'stop must be texts', 'stop');
  }
  const included = Object(body.stream_options).include_usage === true;
  const turns = messages.map(turnOf);
  return { model, messages: turns, limit, stop: stops, stream, includeUsage: included };
}

function turnOf(message: unknown): Asked['messages'][number] {
  const { role, content } = Object(message);
  if (!['system', 'developer', 'user', 'assistant'].includes(role)) {
    throw new Refusal(400, 'role is not supported', 'messages');
  }
  const parts: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const texts = parts.map((part) => {
    const { type, text } = Object(part);
    if (type === 'text' && typeof text === 'string') return text;
    throw new Refusal(400, 'content must be a text', 'messages');
  });
  return { role, text: texts.join(' ') };
}

/** Generates tokens: each is a word with the white space before it. */
function said({ messages, limit, stop }: Asked, obeysStop: boolean) {
  const last = messages.at(-1)?.text ?? '';
  const whole = /count from one/i.test(last)
    ? 'one two three four five six seven eight nine ten eleven twelve'.replaceAll(' ', '\n')
    : wordsFor(messages.map(({ text }) => text).join('\n'));
  const ends = obeysStop ? stop.map((one) => whole.indexOf(one)).filter((at) => at >= 0) : [];
  const text = whole.slice(0, Math.min(whole.length, ...ends));
  const tokens = text.match(/\s*\S+/g) ?? [];
  const isCut = tokens.length > limit;
  return { tokens: tokens.slice(0, limit), finish: isCut ? 'length' : 'stop' };
}

/** Returns two hundred words that derive from a prompt, like a model at temperature 0. */
function wordsFor(prompt: string): string {
  const digest = createHash('sha256').update(prompt).digest();
  return Array.from({ length: 200 }, (_, index) => {
    const at = (digest[index % digest.length] ?? 0) + index * 7;
    return words[at % words.length];
  }).join(' ');
}

function complete(response: ServerResponse, asked: Asked, options: ChatGatewayOptions): void {
  const { fixed = false, refusesStreams = false } = options;
  if (asked.stream && refusesStreams) throw new Refusal(400, 'stream is not supported', 'stream');
  const { tokens, finish } = said(asked, fixed);
  const prompt = asked.messages.flatMap(({ role, text }) => [role, ...text.split(/\s+/)]).length;
  const usageOf = (promptTokens: number) => ({
    prompt_tokens: promptTokens,
    completion_tokens: tokens.length,
    total_tokens: promptTokens + tokens.length,
  });
  const head = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: asked.model,
  };
  if (!asked.stream) {
    const message = { role: 'assistant', content: tokens.join(''), refusal: null };
    json(response, 200, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
      usage: usageOf(prompt),
    });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (rest: object): void => {
    const chunk = { ...head, object: 'chat.completion.chunk', ...rest };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const choice = (delta: object, reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }] });
  choice({ role: 'assistant', content: '' });
  for (const content of tokens) choice({ content });
  choice({}, finish);
  if (asked.includeUsage) send({ choices: [], usage: usageOf(fixed ? prompt : 0) });
  response.end('data: [DONE]\n\n');
}
