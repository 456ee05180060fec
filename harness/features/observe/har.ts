import {
  asList,
  at,
  budgets,
  type ExchangeFailure,
  exchangeId,
  type HeaderLines,
  isObject,
  numberAt,
  parsed,
  type ReceivedResponse,
  type SocketFrame,
  textAt,
  tooMuchJson,
} from '../../kernel/core/index.ts';
import { isHeaderValue, isToken } from '../../kernel/wire/index.ts';
import type { Seen } from './label.ts';

type HarEntry =
  | { readonly kind: 'seen'; readonly seen: Seen }
  /** Entry that is not an HTTP exchange: an extension of the browser, a `data:` address. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Reads one entry of HAR 1.2, as browsers and proxies write it. Data that the format cannot represent or an
 * exporter omitted must not count as a fault: an answer without its body, or without the end of a stream, counts as
 * cut by this side.
 *
 * @param began start of the first entry, in milliseconds
 */
export function harEntry(text: string, index: number, began: number): HarEntry {
  const bound = tooMuchJson(text, budgets.exchange.things);
  if (bound !== null) return { kind: 'unreadable', why: bound };
  const entry = parsed(text);
  if (!isObject(entry)) return { kind: 'unreadable', why: 'it is no JSON object' };
  const method = textAt(entry, 'request.method');
  const address = textAt(entry, 'request.url');
  if (method === null || address === null) {
    return { kind: 'unreadable', why: 'it lacks `request.method` or `request.url`' };
  }
  if (!isToken(method) || method.length > longestMethod) {
    return { kind: 'unreadable', why: '`request.method` is no method of HTTP' };
  }
  if (/[\0-\x20\x7f]/.test(address)) {
    return { kind: 'unreadable', why: '`request.url` holds a space or a control character' };
  }
  if (!URL.canParse(address) || !/^(http|ws)s?:/i.test(address)) return { kind: 'none' };
  const frames = socketFrames(entry, began);
  const started = Math.max(0, harTime(entry) - began);
  const waited = ['blocked', 'dns', 'connect', 'send', 'wait'].map((name) =>
    Math.max(0, numberAt(entry, `timings.${name}`) ?? 0),
  );
  const took = Math.max(0, numberAt(entry, 'time') ?? 0);
  const headers =
    started +
    Math.min(
      took,
      waited.reduce((sum, one) => sum + one, 0),
    );
  const { response, failure } = answerIn(entry, started + took, frames !== null);
  const url = frames === null ? address : address.replace(/^http/i, 'ws');
  return {
    kind: 'seen',
    seen: {
      id: exchangeId({ origin: 'observed', scenario: 'har', number: index }),
      request: {
        method: method.toUpperCase(),
        url,
        headers: headerLinesIn(at(entry, 'request.headers')),
        body: requestBodyIn(entry),
      },
      response,
      // A HAR does not tell how the WebSocket was closed.
      socket: frames === null || response === null ? null : { frames, close: null },
      failure,
      times: { started, headers: response === null ? null : headers, ended: started + took },
    },
  };
}

const longestMethod = 100;

/** Start of an entry, in milliseconds of the Unix epoch. 0 if the entry does not have it. */
export function harTime(entry: unknown): number {
  const time = Date.parse(textAt(entry, 'startedDateTime') ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function headerLinesIn(list: unknown): HeaderLines {
  return asList(list).flatMap((line) => {
    const [name, value] = [textAt(line, 'name'), textAt(line, 'value')];
    // Pseudo-headers of HTTP/2, which begin with a colon, are not headers.
    if (name === null || value === null || !isToken(name)) return [];
    // Browsers join several lines of one name by line feeds, and may write text that is not latin1.
    return value
      .split(/[\0\r\n]+/)
      .map(
        (one) => [name, isHeaderValue(one) ? one : Buffer.from(one).toString('latin1')] as const,
      );
  });
}

function requestBodyIn(entry: unknown): Uint8Array | null {
  const text = textAt(entry, 'request.postData.text');
  if (text === null || text === '') return null;
  const isBase64 = textAt(entry, 'request.postData.encoding') === 'base64';
  return Buffer.from(text, isBase64 ? 'base64' : 'utf8');
}

interface Answer {
  readonly response: ReceivedResponse | null;
  readonly failure: ExchangeFailure | null;
}

const cut = (message: string): ExchangeFailure => ({ kind: 'cut', message });
const noBody = cut('the HAR does not have the body');
const noWholeBody = cut('the HAR does not have the whole body');
const noAnswer = cut('the HAR does not have the answer');

function answerIn(entry: unknown, ended: number, isSocket: boolean): Answer {
  const said = numberAt(entry, 'response.status') ?? 0;
  const status = Number.isInteger(said) && said <= 999 ? said : 0;
  const headers = headerLinesIn(at(entry, 'response.headers'));
  // A request that a browser blocked, or whose answer it discarded, has the status 0.
  if (status < 100) return { response: null, failure: noAnswer };
  const body = isSocket ? Buffer.alloc(0) : bodyIn(entry);
  const length = body?.length ?? 0;
  return {
    response: {
      status: isSocket ? 101 : status,
      headers,
      body: body ?? Buffer.alloc(0),
      chunks: length === 0 ? [] : [{ at: ended, end: length }],
      complete: true,
    },
    failure: isSocket ? null : lossIn(entry, status, headers, body),
  };
}

function bodyIn(entry: unknown): Buffer | null {
  const text = textAt(entry, 'response.content.text');
  if (text === null) return null;
  const isBase64 = textAt(entry, 'response.content.encoding') === 'base64';
  return Buffer.from(text, isBase64 ? 'base64' : 'utf8');
}

/** Returns a failure if a part of the body is missing, or null if none is, as far as can be determined. */
function lossIn(
  entry: unknown,
  status: number,
  headers: HeaderLines,
  body: Buffer | null,
): ExchangeFailure | null {
  const value = (name: string): string | undefined =>
    headers.find(([one]) => one.toLowerCase() === name)?.[1];
  if (textAt(entry, 'response._error') !== null) return noWholeBody;
  if (body === null || body.length === 0) {
    const isEmpty =
      status === 204 || status === 304 || value('content-length') === '0' || isHead(entry);
    return isEmpty ? null : noBody;
  }
  const told = numberAt(entry, 'response.content.size') ?? -1;
  return told > body.length ? noWholeBody : null;
}

function isHead(entry: unknown): boolean {
  return textAt(entry, 'request.method')?.toUpperCase() === 'HEAD';
}

/** The messages of a WebSocket. Null if the entry is not a WebSocket. */
function socketFrames(entry: unknown, began: number): readonly SocketFrame[] | null {
  const list = at(entry, '_webSocketMessages');
  const isSocket =
    Array.isArray(list) ||
    /^ws/i.test(textAt(entry, 'request.url') ?? '') ||
    numberAt(entry, 'response.status') === 101;
  if (!isSocket) return null;
  return asList(list).flatMap((message): SocketFrame[] => {
    const data = textAt(message, 'data');
    const kind = numberAt(message, 'opcode') === 2 ? 'binary' : 'text';
    const from = textAt(message, 'type') === 'send' ? 'us' : 'gateway';
    if (data === null) return [];
    // Times in HAR messages are in seconds.
    const time = Math.max(0, (numberAt(message, 'time') ?? 0) * 1000 - began);
    return [{ from, at: time, kind, data: Buffer.from(data, kind === 'text' ? 'utf8' : 'base64') }];
  });
}
