import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { HeaderLines } from '../core/index.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderLines;
  readonly body: Uint8Array | Readable | null;
}

/** Receives an answer: the part of undici's handler that needs no undici connection. */
export interface AnswerHandler {
  onAnswer(status: number, headers: HeaderLines): void;
  onResponseData(controller: null, piece: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: null, error: Error): void;
}

/** Headers that HTTP/2 replaces by other means. */
const ofHttp1: ReadonlySet<string> = new Set(['host', 'connection', 'transfer-encoding']);

/**
 * Sends one request over HTTP/2 by Node's client. undici's HTTP/2 client can crash the process when a connection
 * closes.
 *
 * @param socket connection on which both sides have agreed on HTTP/2
 * @returns the session, which the caller must destroy
 */
export function requestOverHttp2(
  socket: Socket,
  origin: string,
  request: Sent,
  handler: AnswerHandler,
): ClientHttp2Session {
  const session = connect(origin, { createConnection: () => socket });
  let isOver = false;
  const once = (tell: () => void): void => {
    if (isOver) return;
    isOver = true;
    tell();
  };
  const failed = (error: Error): void => once(() => handler.onResponseError(null, error));
  session.on('error', failed);
  const stream = session.request(
    {
      ...Object.fromEntries(
        request.headers
          .map(([name, value]) => [name.toLowerCase(), value] as const)
          .filter(([name]) => !ofHttp1.has(name)),
      ),
      [constants.HTTP2_HEADER_METHOD]: request.method,
      [constants.HTTP2_HEADER_PATH]: request.path,
    },
    { endStream: request.body === null },
  );
  stream
    .on('response', ({ ':status': status = 0, ...fields }) => {
      const lines = Object.entries(fields).flatMap(([name, value = []]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      );
      handler.onAnswer(status, lines);
    })
    .on('data', (piece: Buffer) => handler.onResponseData(null, piece))
    .on('error', failed)
    .on('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR && stream.readableEnded) {
        once(() => handler.onResponseEnd());
      } else failed(new Error(`the HTTP/2 stream was closed with code ${stream.rstCode}`));
    });
  if (request.body instanceof Readable) request.body.pipe(stream);
  else if (request.body !== null) stream.end(request.body);
  return session;
}
