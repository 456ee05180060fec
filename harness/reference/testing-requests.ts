import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Json } from './json.ts';

// Client for the tests of the dialects: Node's client, and a minimal reader of server-sent events. It does not use
// the clients of the harness, because shared code would share its bugs with the gateway.

/** One answer, read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body. Throws if the text is not JSON. */
  readonly json: Json;
  /** Events of a stream, each with its name and its data as text. */
  readonly events: readonly { readonly name: string | null; readonly data: string }[];
}

/** Sends a body as JSON; a string is sent verbatim. */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Json,
): Promise<Received> {
  const json = { 'content-type': 'application/json', ...headers };
  return asked('POST', url, json, typeof body === 'string' ? body : JSON.stringify(body));
}

export function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  return asked('GET', url, headers, '');
}

/** Uses Node's own client, which supports more of HTTP than `fetch`: an unsolicited `100 Continue`, long headers. */
async function asked(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Received> {
  const request = httpRequest(url, {
    method,
    headers: { accept: 'application/json', ...headers },
    maxHeaderSize: 256 * 1024,
  });
  request.end(body);
  const [answer]: IncomingMessage[] = await once(request, 'response');
  if (answer === undefined) throw new Error('no answer came');
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const isPacked = answer.headers['content-encoding'] === 'gzip';
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
  return {
    status: answer.statusCode ?? 0,
    headers: new Headers(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    ),
    text,
    get json(): Json {
      return JSON.parse(text);
    },
    get events() {
      return eventsIn(text);
    },
  };
}

/** Parses events more strictly than a client has to: a blank line must follow each event, including the last. */
function eventsIn(text: string): { name: string | null; data: string }[] {
  const blocks = text.split('\n\n');
  if (blocks.pop() !== '') throw new Error(`the stream ends inside an event: ${text.slice(-100)}`);
  return blocks.map((block) => {
    const lines = block.split('\n');
    const value = (field: string): string | null =>
      lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? null;
    return { name: value('event'), data: value('data') ?? '' };
  });
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
