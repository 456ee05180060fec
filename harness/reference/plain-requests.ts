import type { Json } from './json.ts';

// What the tests of the dialects speak with: plain fetch, and a bare reader of server-sent events. Not
// the harness's own clients: a judge and a judged that share code share its mistakes.

/** One answer, read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed. Throws when the text is no JSON. */
  readonly json: Json;
  /** The events of a stream, each with its name and its data as text. */
  readonly events: readonly { readonly name: string | null; readonly data: string }[];
}

/** Sends a body as JSON; a string as it stands. */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Json,
): Promise<Received> {
  return receive(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

export async function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  return receive(await fetch(url, { headers }));
}

async function receive(response: Response): Promise<Received> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json(): Json {
      return JSON.parse(text);
    },
    get events() {
      return eventsIn(text);
    },
  };
}

/** Stricter than a client has to be: each event, the last too, is closed by its blank line. */
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
