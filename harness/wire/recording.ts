import { isUtf8 } from 'node:buffer';
import type { Chunk, Exchange, Peer, SocketFrame } from '../core/exchange.ts';
import { asObject } from '../core/json-value.ts';
import { isPeer, peerId } from './peer.ts';

/** Words that stand beside an exchange in its line, such as the name of the target. */
export type Labels = Readonly<Record<string, string>>;

/** Bytes in a line: as text where they are UTF-8, so that a recording can be read. */
type Bytes = string | { readonly base64: string };

interface Line {
  readonly labels: Labels;
  readonly exchange: Omit<Exchange, 'request' | 'response' | 'socket' | 'peer'> & {
    /** Its id: the peer has a line of its own, before this one. */
    readonly peer?: string;
    readonly request: Omit<Exchange['request'], 'body'> & { readonly body: Bytes | null };
    readonly response:
      | (Omit<NonNullable<Exchange['response']>, 'body' | 'chunks'> & {
          readonly body: Bytes;
          /** Pairs of time and end. */
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

/** A peer as one line of JSON, without a line end. It stands before the exchanges with it. */
export function peerLine(peer: Peer): string {
  return JSON.stringify({ peer });
}

/** The peer of a line; null: it is a line of something else. @throws {Error} when its id is not its digest */
export function peerFrom(text: string): Peer | null {
  if (!text.startsWith(peerBeginning)) return null;
  const { peer } = asObject(JSON.parse(text));
  if (!isPeer(peer)) throw new Error('It says of a peer what nobody can have seen.');
  if (peer.id !== peerId(peer)) throw new Error('What it says of a peer was changed.');
  return peer;
}

/** An exchange as one line of JSON, without a line end. Nothing is lost. */
export function toLine(exchange: Exchange, labels: Labels = {}): string {
  const { peer, ...rest } = exchange;
  const { request, response, socket } = rest;
  const line: Line = {
    labels,
    exchange: {
      ...rest,
      ...(peer === undefined ? {} : { peer: peer.id }),
      request: { ...request, body: request.body === null ? null : written(request.body) },
      response:
        response === null
          ? null
          : {
              ...response,
              body: written(response.body),
              chunks: response.chunks.map(({ at, end }) => [at, end]),
            },
      socket:
        socket === null
          ? null
          : {
              ...socket,
              frames: socket.frames.map((frame) => ({ ...frame, data: written(frame.data) })),
            },
    },
  };
  return JSON.stringify(line);
}

/**
 * The exchange of a line that `toLine` made.
 *
 * @param peers by their ids, as the lines before it have them; of one that is not among them nothing is known
 * @throws {Error} when it is no such line
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

function parsed(text: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`A line of the recording is not JSON: ${problem}. Is the file cut short?`);
  }
  if (!isLine(line)) {
    throw new Error(
      `A line of the recording holds no exchange: ${text.slice(0, 80)}. Was it written by Touchstone?`,
    );
  }
  return line;
}

/** Tells our lines from any other JSON. What stands in them is trusted: we wrote it. */
function isLine(line: unknown): line is Line {
  if (typeof line !== 'object' || line === null) return false;
  if (!('labels' in line) || !('exchange' in line)) return false;
  const { exchange } = line;
  return (
    typeof exchange === 'object' &&
    exchange !== null &&
    ['key', 'about', 'request', 'response', 'socket', 'failure', 'times', 'echoed'].every(
      (member) => member in exchange,
    )
  );
}

function written(bytes: Uint8Array): Bytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString() : { base64: buffer.toString('base64') };
}

function read(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.base64, 'base64');
}
