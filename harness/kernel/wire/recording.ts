import { isUtf8 } from 'node:buffer';
import {
  asObject,
  budgets,
  type Chunk,
  type Exchange,
  type ExchangeId,
  exchangeProtocols,
  failureKinds,
  finite,
  flag,
  formatId,
  type HeaderLines,
  idShape,
  isObject,
  kind,
  listOf,
  mapOf,
  messageOf,
  objectOf,
  oneOf,
  orNull,
  type Peer,
  parseForeign,
  type Read,
  type SocketFrame,
  text,
  textLike,
  UnfitFile,
  whole,
} from '../core/index.ts';
import { isToken } from './header-lines.ts';
import { isPeer, peerId } from './peer.ts';

/** Members added to the line of an exchange, such as the name of the target. */
type Labels = Readonly<Record<string, string>>;

/** Bytes in a line. Valid UTF-8 is stored as text, so that a recording is readable. */
type Bytes = string | { readonly base64: string };

interface Line<Id> {
  readonly labels: Labels;
  readonly exchange: Omit<Exchange, 'id' | 'request' | 'response' | 'socket' | 'peer'> & {
    readonly id: Id;
    /** Id of the peer, which an earlier line describes. */
    readonly peer?: string;
    readonly request: Omit<Exchange['request'], 'body'> & { readonly body: Bytes | null };
    readonly response:
      | (Omit<NonNullable<Exchange['response']>, 'body' | 'chunks'> & {
          readonly body: Bytes;
          /** Pairs of time and end offset. */
          readonly chunks: readonly (readonly [at: number, end: number])[];
        })
      | null;
    readonly socket:
      | (Omit<NonNullable<Exchange['socket']>, 'frames'> & {
          readonly frames: readonly (Omit<SocketFrame, 'data'> & { readonly data: Bytes })[];
        })
      | null;
  };
}

const peerBeginning = '{"peer":';

/** A peer as one line of JSON, without a line end. Precedes the exchanges that refer to it. */
export function peerLine(peer: Peer): string {
  return JSON.stringify({ peer });
}

/**
 * Reads the peer of a line. Null if the line holds something else.
 *
 * @throws {Error} when its id is not its digest
 */
export function peerFrom(text: string): Peer | null {
  if (!text.startsWith(peerBeginning)) return null;
  const { peer } = asObject(json(text));
  if (!isPeer(peer)) throw new Error('It says of a peer what nobody can have seen.');
  if (peer.id !== peerId(peer)) throw new Error('What it says of a peer was changed.');
  return peer;
}

/**
 * An exchange as one lossless line of JSON, without a line end. Members have one order, whoever made the exchange, so
 * that a line can be compared with its content.
 */
export function toLine(exchange: Exchange, labels: Labels = {}): string {
  const { id, about, request, response, socket, failure, times, echoed, peer } = exchange;
  const line: Line<string> = {
    labels,
    exchange: {
      id: formatId(id),
      about: inOrder(
        about,
        'operation',
        'protocol',
        'region',
        'key',
        'beside',
        'side',
        'secretHeaders',
      ),
      request: {
        ...inOrder(request, 'method', 'url', 'headers'),
        body: request.body === null ? null : written(request.body),
      },
      response: response && {
        ...inOrder(response, 'status', 'headers'),
        body: written(response.body),
        chunks: response.chunks.map(({ at, end }) => [at, end]),
        ...inOrder(response, 'complete', 'over'),
      },
      socket: socket && {
        frames: socket.frames.map((frame) => ({
          ...inOrder(frame, 'from', 'at', 'kind'),
          data: written(frame.data),
        })),
        close: socket.close && inOrder(socket.close, 'code', 'reason', 'by'),
        ...inOrder(socket, 'ponged'),
      },
      failure: failure && inOrder(failure, 'kind', 'message'),
      times: inOrder(times, 'started', 'headers', 'ended', 'stalledMs'),
      echoed,
      ...(peer === undefined ? {} : { peer: peer.id }),
    },
  };
  return JSON.stringify(line);
}

/** The named members of a value in this order, of which optional ones may be missing. */
function inOrder<T extends object, const N extends keyof T>(
  value: T,
  ...names: readonly N[]
): Pick<T, N> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, N>;
}

/**
 * Reads an exchange from a line that `toLine` wrote.
 *
 * @param peers peers of the preceding lines by id. A peer that is missing here remains unknown
 * @throws {Error} when the line is not an exchange
 */
export function fromLine(
  text: string,
  peers: ReadonlyMap<string, Peer> = new Map(),
): { readonly exchange: Exchange; readonly labels: Labels } {
  const { labels, exchange: recorded } = parsed(text);
  const { peer: id, ...exchange } = recorded;
  const { request, response, socket } = exchange;
  const peer = id === undefined ? undefined : peers.get(id);
  return {
    labels,
    exchange: {
      ...exchange,
      ...(peer === undefined ? {} : { peer }),
      request: { ...request, body: request.body === null ? null : read(request.body) },
      response:
        response === null
          ? null
          : {
              ...response,
              body: read(response.body),
              chunks: response.chunks.map(([at, end]): Chunk => ({ at, end })),
            },
      socket:
        socket === null
          ? null
          : {
              ...socket,
              frames: socket.frames.map((frame) => ({ ...frame, data: read(frame.data) })),
            },
    },
  };
}

/** Maximum length of a line, longer than that of any recorded exchange. */
export const longestLine = 64 * 1024 * 1024;

function parsed(text: string): Line<ExchangeId> {
  const line = json(text);
  if (!isObject(line) || !isObject(line.labels) || !isObject(line.exchange)) {
    throw new Error(
      `A line of the recording holds no exchange: ${text.slice(0, 80)}. Was it written by Touchstone?`,
    );
  }
  try {
    return lineShape(line, 'line');
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(
      `A line of the recording holds no exchange: ${problem}. Was it written by Touchstone?`,
    );
  }
}

function json(text: string): unknown {
  try {
    return parseForeign(text, budgets.exchange);
  } catch (error) {
    if (error instanceof UnfitFile) throw error;
    throw new Error(
      `A line of the recording is not JSON: ${messageOf(error)}. Is the file cut short?`,
    );
  }
}

const method = kind(
  'a token of HTTP of up to 100 characters',
  (value): value is string => typeof value === 'string' && value.length <= 100 && isToken(value),
);

/** Name of a key. It also names an environment variable in printed command lines. */
const keyName = textLike('a name of letters, digits, - and _', /^[A-Za-z][\w-]{0,99}$/);

const bytes: Read<Bytes> = (value, at) =>
  typeof value === 'string' ? value : objectOf({ base64: text })(value, at);

/** Header lines by their texts: nearly all exchanges have the same ones. */
const knownLines = new Map<string, HeaderLines[number]>();
const mostKnownLines = 2_000;

const headerLine: Read<HeaderLines[number]> = (value, at) => {
  const [name, said] = Array.isArray(value) && value.length === 2 ? value : [];
  const line = [text(name, `${at}[0]`), text(said, `${at}[1]`)] as const;
  const whole = line.join(': ');
  const known = knownLines.get(whole);
  if (known !== undefined) return known;
  if (knownLines.size < mostKnownLines && whole.length < 200) knownLines.set(whole, line);
  return line;
};

const pair: Read<readonly [number, number]> = (value, at) => {
  const [one, other] = Array.isArray(value) && value.length === 2 ? value : [];
  return [finite(one, `${at}[0]`), finite(other, `${at}[1]`)];
};

const headers = listOf(headerLine);

/** Shape of a line. Nothing in a line is trusted, because another program may have written it. */
const lineShape: Read<Line<ExchangeId>> = objectOf({
  labels: mapOf(text),
  exchange: objectOf(
    {
      id: idShape,
      about: objectOf(
        { operation: text, protocol: oneOf(...exchangeProtocols), region: text, key: keyName },
        { beside: text, side: oneOf('back'), secretHeaders: mapOf(text) },
      ),
      request: objectOf({ method, url: text, headers, body: orNull(bytes) }),
      response: orNull(
        objectOf(
          { status: whole, headers, body: bytes, chunks: listOf(pair), complete: flag },
          { over: oneOf('kept connection', 'http/2') },
        ),
      ),
      socket: orNull(
        objectOf(
          {
            frames: listOf(
              objectOf({
                from: oneOf('us', 'gateway'),
                at: finite,
                kind: oneOf('text', 'binary'),
                data: bytes,
              }),
            ),
            close: orNull(objectOf({ code: whole, reason: text, by: oneOf('us', 'gateway') })),
          },
          { ponged: flag },
        ),
      ),
      failure: orNull(objectOf({ kind: oneOf(...failureKinds), message: text })),
      times: objectOf(
        { started: finite, headers: orNull(finite), ended: finite },
        { stalledMs: whole },
      ),
      echoed: listOf(text),
    },
    { peer: text },
  ),
});

function written(bytes: Uint8Array): Bytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString() : { base64: buffer.toString('base64') };
}

function read(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.base64, 'base64');
}
