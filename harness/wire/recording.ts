import { isUtf8 } from 'node:buffer';
import type { Chunk, Exchange, SocketFrame } from '../core/exchange.ts';

/** Words that stand beside an exchange in its line, such as the name of the target. */
export type Labels = Readonly<Record<string, string>>;

/** Bytes in a line: as text where they are UTF-8, so that a recording can be read. */
type Bytes = string | { readonly base64: string };

interface Line {
  readonly labels: Labels;
  readonly exchange: Omit<Exchange, 'request' | 'response' | 'socket'> & {
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

/** An exchange as one line of JSON, without a line end. Nothing is lost. */
export function toLine(exchange: Exchange, labels: Labels = {}): string {
  const { request, response, socket } = exchange;
  const line: Line = {
    labels,
    exchange: {
      ...exchange,
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
 * @throws {Error} when it is no such line
 */
export function fromLine(text: string): { readonly exchange: Exchange; readonly labels: Labels } {
  const { labels, exchange } = parsed(text);
  const { request, response, socket } = exchange;
  return {
    labels,
    exchange: {
      ...exchange,
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
