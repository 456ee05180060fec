import { isUtf8 } from 'node:buffer';
import {
  commandLine,
  type Exchange,
  type HeaderLines,
  type Piece,
  saysWhoCalls,
  type Word,
  wordsIn,
} from '../core/index.ts';
import { isHeaderValue, isToken } from './header-lines.ts';
import { keyVariable } from './key-variable.ts';

/** Maximum length of a body in a command line, in characters. The recording has longer ones. */
const longestBody = 4_000;

/** Headers that curl sets itself or must not be given. */
const ofTheConnection = new Set([
  'host',
  'connection',
  'content-length',
  'upgrade',
  'sec-websocket-version',
]);

/** Texts that a line takes from shell variables, by variable name: ids from an earlier answer. */
export type Carried = ReadonlyMap<string, string>;

/**
 * Returns a command line that repeats the request of an exchange exactly. A key appears as an environment variable,
 * such as `$TOUCHSTONE_KEY`. A client request id is repeated unchanged.
 */
export function curlLine(exchange: Exchange, carried: Carried = new Map()): string {
  const { request, socket } = exchange;
  if (socket !== null) return wscat(exchange);
  const upgrade = /^wss?:/.test(request.url);
  const url = request.url.replace(/^ws/, 'http');
  const body = bodyArguments(request.body, carried);
  return [
    ...body.before,
    commandLine([
      'curl',
      '-sS',
      '-i',
      ...(isStream(exchange) || upgrade ? ['-N'] : []),
      ...(acceptsCoding(exchange) ? ['--compressed'] : []),
      ...(exchange.response?.over === 'http/2' ? ['--http2'] : []),
      ...(/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url) ? ['--path-as-is'] : []),
      ...(/[[\]{}]/.test(url) ? ['-g'] : []),
      ...methodArguments(exchange),
      '--url',
      piecesOf(url, { key: keyVariable(exchange.about.key), carried }),
      ...headerArguments(exchange, carried),
      ...besides(request, upgrade),
      ...body.words,
    ]),
  ].join(' | ');
}

/** Returns the command line without the body or the turn that it sends. */
export function withoutBody(line: string): string {
  const words = wordsIn(line);
  const from = words.lastIndexOf('|') + 1;
  const command = words[from];
  const ends = command === 'wscat' ? ['-w'] : ['--data-raw', '--data-binary'];
  const end = words.findIndex((word, index) => index > from && ends.includes(word));
  return words.slice(from, end < 0 ? words.length : end).join(' ');
}

function wscat(exchange: Exchange): string {
  const { request, socket, about } = exchange;
  const first = socket?.frames.find(({ from, kind }) => from === 'us' && kind === 'text');
  return commandLine([
    'wscat',
    '-c',
    piecesOf(request.url, { key: keyVariable(about.key) }),
    ...headerArguments(exchange),
    ...(first === undefined ? [] : ['-w', '60', '-x', [Buffer.from(first.data).toString()]]),
  ]);
}

/** Returns a command line with this program that sends the turns over the WebSocket of an exchange, each after `-x`. */
export function turnsLine(
  name: string,
  exchange: Exchange,
  turns: readonly string[],
  carried: Carried,
): string {
  const { request, about } = exchange;
  return commandLine([
    name,
    piecesOf(request.url, { key: keyVariable(about.key), carried }),
    ...headerArguments(exchange, carried),
    ...turns.flatMap((turn): Word[] => ['-x', piecesOf(turn, { carried })]),
  ]);
}

function methodArguments({ request: { method, body } }: Exchange): string[] {
  const hasBody = body !== null && body.length > 0;
  if (method === 'GET' && !hasBody) return [];
  // With `-X HEAD`, curl would wait for a body.
  return method === 'HEAD' && !hasBody ? ['--head'] : ['-X', method];
}

function headerArguments(exchange: Exchange, carried?: Carried): Word[] {
  const { request, about } = exchange;
  return (
    request.headers
      .filter(([name]) => !ofTheConnection.has(name.toLowerCase()))
      // Other headers that identify the client are left out: User-Agent is enough to repeat a request by hand.
      .filter(([name]) => /^user-agent$/i.test(name) || !saysWhoCalls(name))
      .filter((line) => !isCoding(line))
      // curl cannot send other headers: it would read a file, or add a second header.
      .filter(([name, value]) => isToken(name) && isHeaderValue(value))
      .flatMap(([name, value]): Word[] => {
        const template = about.secretHeaders?.[name];
        if (template !== undefined) return ['-H', templatePieces(`${name}: ${template}`)];
        const key = variableOf(name, exchange);
        const basic = name.toLowerCase() === 'authorization' && /^Basic .*\*{3}/.test(value);
        if (basic) return ['-u', [{ variable: key }, ':']];
        if (value.trim() === '') return ['-H', [`${name};`]];
        return ['-H', [`${name}: `, ...headerPieces(value, { key, carried })]];
      })
  );
}

/**
 * Returns the variable for a masked header: that of the key. In an observed exchange, other headers have variables
 * of their own.
 */
function variableOf(name: string, { id, about }: Exchange): string {
  return id.origin === 'observed' && !/authorization$|^x-api-key$|api-key$/i.test(name)
    ? `TOUCHSTONE_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
    : keyVariable(name === about.beside ? 'owner' : about.key);
}

/** True for a header that requests a coding. Given with `-H`, it would make curl print the coded body. */
function isCoding([name, value]: readonly [string, string]): boolean {
  return /^accept-encoding$/i.test(name) && value !== 'identity';
}

function acceptsCoding({ request }: Exchange): boolean {
  return request.headers.some(isCoding);
}

/** Options that suppress curl's own headers, and the headers that an upgrade needs. */
function besides({ headers, body }: Exchange['request'], upgrade: boolean): Word[] {
  const lacks = (wanted: string): boolean =>
    !headers.some(([name]) => name.toLowerCase() === wanted);
  return [
    ...(!upgrade && lacks('accept') ? ['-H', ['Accept:']] : []),
    ...(body !== null && body.length > 0 && lacks('content-type') ? ['-H', ['Content-Type:']] : []),
    ...(upgrade
      ? [
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
        ].flatMap((line): Word[] => ['-H', [line]])
      : []),
  ];
}

interface BodyArguments {
  /** A command whose output curl reads. */
  readonly before: readonly string[];
  readonly words: readonly Word[];
}

function bodyArguments(body: Uint8Array | null, carried: Carried): BodyArguments {
  if (body === null || body.length === 0) return { before: [], words: [] };
  const piped = ['--data-binary', '@-'];
  if (body.length > longestBody) {
    const otherwise = `names a file with the ${body.length} bytes of the body, which are in the recording`;
    // The shell reports an unset variable and runs nothing.
    const file: Word = ['@', { variable: 'TOUCHSTONE_BODY', otherwise }];
    return { before: [], words: ['--data-binary', file] };
  }
  const text = Buffer.from(body).toString();
  if (!isUtf8(body) || text.includes('\0')) {
    const base64 = Buffer.from(body).toString('base64');
    const before = [commandLine(['printf', '%s', [base64]]), commandLine(['base64', '-d'])];
    return { before, words: piped };
  }
  const [, whole = '', ends = ''] = /^(.*?)(\n*)$/s.exec(text) ?? [];
  if (ends === '') return { before: [], words: ['--data-raw', piecesOf(text, { carried })] };
  // Command substitution strips trailing line feeds.
  const form = `%s${'\\n'.repeat(ends.length)}`;
  return { before: [commandLine(['printf', form, piecesOf(whole, { carried })])], words: piped };
}

function isStream({ request, response }: Exchange): boolean {
  const says = (headers: HeaderLines | undefined): boolean =>
    (headers ?? []).some(([, value]) => value.toLowerCase().includes('text/event-stream'));
  return says(request.headers) || says(response?.headers);
}

/** A header as the target file writes it, with shell expansion of its variables. */
function templatePieces(text: string): Piece[] {
  return split(text, /\$(\{[A-Za-z_][A-Za-z0-9_]*\})/, (variable) => ({ variable }));
}

interface Variables {
  /** Variable with the key, which replaces the mask in the text. */
  readonly key?: string;
  readonly carried?: Carried | undefined;
}

function piecesOf(text: string, { key, carried }: Variables): Piece[] {
  const masked: Piece[] =
    key === undefined ? [text] : split(text, /(\*{3,})/, () => ({ variable: key }));
  return [...(carried ?? [])].reduce(
    (pieces, [id, variable]) =>
      // The id may be percent-encoded in a path.
      [...new Set([id, encodeURIComponent(Buffer.from(id).toString())])].reduce(
        (all, form) => all.flatMap((piece) => replaced(piece, form, variable)),
        pieces,
      ),
    masked,
  );
}

function replaced(piece: Piece, text: string, variable: string): Piece[] {
  if (typeof piece !== 'string' || text === '') return [piece];
  return piece
    .split(text)
    .flatMap((part, index): Piece[] => [
      ...(index === 0 ? [] : [{ variable }]),
      ...(part === '' ? [] : [part]),
    ]);
}

/** A header value holds bytes. Valid UTF-8 is shown decoded. */
function headerPieces(value: string, variables: Variables): Piece[] {
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return piecesOf(bytes.toString(), variables);
  return piecesOf(value, variables).map((piece) =>
    typeof piece === 'string' ? { latin1: piece } : piece,
  );
}

function split(text: string, mark: RegExp, made: (found: string) => Piece): Piece[] {
  return text
    .split(mark)
    .flatMap((part, index): Piece[] =>
      index % 2 === 1 ? [made(part)] : part === '' ? [] : [part],
    );
}
