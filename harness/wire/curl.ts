import { isUtf8 } from 'node:buffer';
import type { Exchange, HeaderLines } from '../core/exchange.ts';
import { saysWhoCalls } from '../core/recognisable.ts';
import { keyVariable } from './key-variable.ts';

/** Longer bodies are not printed into a command line: the recording has them. */
const longestBody = 4_000;

/** What curl adds by itself, or must not be told. */
const ofTheConnection = new Set([
  'host',
  'connection',
  'content-length',
  'upgrade',
  'sec-websocket-version',
]);

/**
 * A command line that repeats the request of an exchange. A key stands in it as a variable of the
 * environment, `$TOUCHSTONE_KEY` and so on, and a client request id as it was.
 */
export function curlLine(exchange: Exchange): string {
  const { request, socket } = exchange;
  if (socket !== null) return wscat(exchange);
  const variable = keyVariable(exchange.about.key);
  const upgrade = /^wss?:/.test(request.url);
  const url = request.url.replace(/^ws/, 'http');
  return [
    'curl',
    '-sS',
    '-i',
    ...(isStream(exchange) || upgrade ? ['-N'] : []),
    ...(acceptsCoding(exchange) ? ['--compressed'] : []),
    ...(exchange.response?.over === 'http/2' ? ['--http2'] : []),
    ...(/\/\.\.?(\/|$)/.test(url) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(request.method === 'GET' ? [] : ['-X', request.method]),
    quoted(url, variable),
    ...headerArguments(exchange),
    // Else curl sends one of its own.
    ...(upgrade || request.headers.some(([name]) => /^accept$/i.test(name))
      ? []
      : ["-H 'Accept:'"]),
    ...(upgrade
      ? [
          "-H 'Connection: Upgrade' -H 'Upgrade: websocket'",
          "-H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=='",
        ]
      : []),
    ...bodyArguments(request.body),
  ].join(' ');
}

function wscat(exchange: Exchange): string {
  const { request, socket, about } = exchange;
  const variable = keyVariable(about.key);
  const first = socket?.frames.find(({ from, kind }) => from === 'us' && kind === 'text');
  return [
    'wscat',
    '-c',
    quoted(request.url, variable),
    ...headerArguments(exchange),
    ...(first === undefined ? [] : ['-w', '60', '-x', quoted(Buffer.from(first.data).toString())]),
  ].join(' ');
}

/** A command line of this name that sends these turns over the WebSocket of an exchange: `-x` stands before each. */
export function turnsLine(name: string, exchange: Exchange, turns: readonly string[]): string {
  const { request, about } = exchange;
  return [
    name,
    quoted(request.url, keyVariable(about.key)),
    ...headerArguments(exchange),
    ...turns.flatMap((turn) => ['-x', quoted(turn)]),
  ].join(' ');
}

function headerArguments({ request, about }: Exchange): string[] {
  return (
    request.headers
      .filter(([name]) => !ofTheConnection.has(name.toLowerCase()))
      // Of what only tells who calls, its name is enough to repeat a request by hand.
      .filter(([name]) => /^user-agent$/i.test(name) || !saysWhoCalls(name))
      .filter((line) => !isCoding(line))
      .flatMap(([name, value]) => {
        const template = about.secretHeaders?.[name];
        if (template !== undefined) return ['-H', quotedTemplate(`${name}: ${template}`)];
        const variable = keyVariable(name === about.beside ? 'owner' : about.key);
        const basic = name.toLowerCase() === 'authorization' && /^Basic .*\*{3}/.test(value);
        if (basic) return ['-u', `"$${variable}:"`];
        return ['-H', quoted(value === '' ? `${name};` : `${name}: ${value}`, variable)];
      })
  );
}

/** Told by itself, what comes back would be printed as it is coded. */
function isCoding([name, value]: readonly [string, string]): boolean {
  return /^accept-encoding$/i.test(name) && value !== 'identity';
}

function acceptsCoding({ request }: Exchange): boolean {
  return request.headers.some(isCoding);
}

function bodyArguments(body: Uint8Array | null): string[] {
  if (body === null || body.length === 0) return [];
  if (body.length > longestBody) {
    return ['--data-binary @body', `# the ${body.length} bytes of the body are in the recording`];
  }
  const text = Buffer.from(body).toString();
  if (isUtf8(body) && !text.includes('\0')) return ['--data-binary', quoted(text)];
  const base64 = Buffer.from(body).toString('base64');
  return ['--data-binary', `@<(printf %s '${base64}' | base64 -d)`];
}

function isStream({ request, response }: Exchange): boolean {
  const says = (headers: HeaderLines | undefined): boolean =>
    (headers ?? []).some(([, value]) => value.toLowerCase().includes('text/event-stream'));
  return says(request.headers) || says(response?.headers);
}

/** One word of a shell, in which a shell puts what variables stand for. */
function quotedTemplate(text: string): string {
  const parts = text.split(/(\$\{[A-Za-z_][A-Za-z0-9_]*\})/).filter((part) => part !== '');
  return parts.map((part) => (part.startsWith('${') ? `"${part}"` : quoted(part))).join('');
}

/** One word of a shell. What is masked in it is the key. */
function quoted(text: string, variable?: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`;
  if (variable === undefined) return plain;
  return plain.replace(/\*{3,}/g, `'"$${variable}"'`).replace(/"''$/, '"');
}
