import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { listening } from '../../kernel/wire/testing-server.ts';
import { providerKey } from './provider-entries.ts';

/** Test helper: a small proxy with its front and upstream side, correct apart from the given traits. */

export type ProxyTrait =
  /** Retries twice when its provider gives no answer or a 5xx. */
  | 'retries'
  /** Sends the key of its provider in the query. */
  | 'key-in-query'
  | 'drops-limit'
  /** Reverses all words of a prompt, as some filters of names do, so that none arrives unchanged. */
  | 'loses-words'
  /** Calls a different provider for every request. */
  | 'goes-elsewhere'
  | 'knows-no-model'
  | 'refuses-key';

interface SmallProxy {
  readonly baseUrl: string;
  /** Address of its provider. Empty if none is configured yet. */
  provider: string;
}

export const frontKey = 'sk-front-of-a-small-proxy';

const limits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'generationConfig'];

export async function startProxy(traits: readonly ProxyTrait[] = []): Promise<SmallProxy> {
  const has = (trait: ProxyTrait): boolean => traits.includes(trait);
  const proxy = { baseUrl: '', provider: '' };
  const server = createServer(async (asked, out) => {
    const refuse = (status: number, message: string): void => {
      out.writeHead(status, { 'content-type': 'application/json' });
      out.end(JSON.stringify({ error: { type: 'error', message } }));
    };
    const shown = Object.values(asked.headers).join(' ');
    if (has('refuses-key') || !shown.includes(frontKey)) return refuse(401, 'Unknown key.');
    if (has('knows-no-model')) return refuse(404, 'There is no such model.');
    if (has('goes-elsewhere')) return void out.end('{"choices":[]}');
    if (proxy.provider === '') return refuse(502, 'No provider is entered.');
    const body = await bodyOf(asked);
    const fields = JSON.parse(has('loses-words') ? body.replace(/\bw\w{14}\b/, turned) : body);
    if (has('drops-limit')) for (const limit of limits) delete fields[limit];
    const { pathname } = new URL(asked.url ?? '/', 'http://proxy');
    const query = new URL(asked.url ?? '/', 'http://proxy').searchParams;
    if (has('key-in-query')) query.set('key', providerKey);
    const search = query.toString() === '' ? '' : `?${query}`;
    const headers = has('key-in-query') ? {} : credential(asked.headers);

    const send = (left: number): void => {
      const failed = (): void =>
        left > 0 ? send(left - 1) : refuse(502, 'The provider did not answer.');
      const onward = request(`${proxy.provider}${pathname}${search}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
      });
      onward.on('error', failed).on('response', (answer) => {
        const { statusCode = 500 } = answer;
        if (statusCode >= 500 && left > 0) {
          answer.resume();
          send(left - 1);
          return;
        }
        const type = answer.headers['content-type'] ?? 'application/json';
        out.writeHead(statusCode, { 'content-type': type });
        answer.pipe(out, { end: false });
        answer.on('end', () => out.end());
        answer.on('error', () => out.destroy());
      });
      onward.end(JSON.stringify(fields));
    };
    send(has('retries') ? 2 : 0);
  });
  proxy.baseUrl = `http://127.0.0.1:${await listening(server)}`;
  return proxy;
}

/** The key of its provider, in the header in which it received its own. */
function credential(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => /key|authorization|version/.test(name));
  return Object.fromEntries(
    shown.map(([name, value]) => [name, String(value).replace(frontKey, providerKey)]),
  );
}

function turned(word: string): string {
  return [...word].reverse().join('');
}

async function bodyOf(asked: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of asked) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
