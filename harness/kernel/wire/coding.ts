import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ExchangeFailure, HeaderLines, ReceivedResponse } from '../core/index.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Content codings that are taken off at most. An answer with more is only meant to keep us busy. */
const mostCodings = 3;

/** The content codings of an answer, in the order in which they were applied. */
function codingsOf(headers: HeaderLines): string[] {
  return headers
    .filter(([header]) => header.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** The codings that the recorded body of an answer was decoded from; null when it came as it is. */
export function decodedFrom({ headers, body }: ReceivedResponse): string | null {
  const codings = codingsOf(headers);
  return body.length > 0 && isDecodable(codings) ? codings.join(', ') : null;
}

/** True if a body in these codings is kept decoded. */
function isDecodable(codings: readonly string[]): boolean {
  return (
    codings.length > 0 &&
    codings.length <= mostCodings &&
    codings.every((coding) => Object.hasOwn(decoders, coding))
  );
}

/** Callbacks of a `BodyDecoder`: pieces of the decoded body, and its end. */
interface BodyHandlers {
  piece(piece: Uint8Array): void;
  /** The message has ended, and all that came has been decoded. */
  end(): void;
  tooLarge(): void;
  undecodable(failure: ExchangeFailure): void;
}

/**
 * Takes the content codings off a body as it comes. Also those that the request does not accept: HTTP
 * lets a server send them, the clients of every protocol read them, and a credential in a body that is
 * coded could not be found and masked.
 */
export class BodyDecoder {
  readonly #stages: readonly Transform[];
  readonly #maxBytes: number;
  readonly #handlers: BodyHandlers;
  #codedBytes = 0;
  #ending = false;

  /** @param maxBytes of the coded body; that of the decoded one is for the handlers to keep */
  constructor(headers: HeaderLines, maxBytes: number, handlers: BodyHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
    const codings = codingsOf(headers);
    this.#stages = isDecodable(codings)
      ? codings.toReversed().flatMap((coding) => decoders[coding]?.() ?? [])
      : [];
    for (const [index, stage] of this.#stages.entries()) {
      stage.on('error', ({ message }) =>
        handlers.undecodable({
          kind: 'undecodable',
          message: `the body does not decode by its content coding: ${message}`,
        }),
      );
      const next = this.#stages[index + 1];
      if (next !== undefined) stage.pipe(next);
      else stage.on('data', (piece) => handlers.piece(piece)).on('end', () => this.#decoded());
    }
  }

  write(piece: Uint8Array): void {
    const [first] = this.#stages;
    if (first === undefined) {
      this.#handlers.piece(piece);
      return;
    }
    // Bounds the bytes that wait in a decoder: nothing pauses the parser in front of it.
    this.#codedBytes += piece.length;
    if (this.#codedBytes > this.#maxBytes) this.#handlers.tooLarge();
    else first.write(piece);
  }

  /** The message is over. */
  end(): void {
    this.#ending = true;
    // A decoder may have seen the end of its format before. An answer without a body has nothing to decode.
    if (this.#codedBytes === 0 || this.#stages.at(-1)?.readableEnded) this.#handlers.end();
    else this.#stages[0]?.end();
  }

  destroy(): void {
    for (const stage of this.#stages) stage.destroy();
  }

  #decoded(): void {
    if (this.#ending) this.#handlers.end();
  }
}

/**
 * An answer without a body that nobody here can read: it could hold a credential, and would keep it.
 * Text is kept, whatever its headers call it.
 *
 * @returns the answer, and why its body is not there, when that is so
 */
export function withheldIfCoded(response: ReceivedResponse | null): {
  readonly response: ReceivedResponse | null;
  readonly failure: ExchangeFailure | null;
} {
  const codings = response === null ? [] : codingsOf(response.headers);
  if (response === null || codings.length === 0 || isDecodable(codings) || isUtf8(response.body)) {
    return { response, failure: null };
  }
  return {
    response: { ...response, body: new Uint8Array(), chunks: [] },
    failure: {
      kind: 'undecodable',
      message:
        `the body is in the content coding \`${codings.join(', ').slice(0, 100)}\`, which nobody asked for; ` +
        `its ${response.body.length} bytes are not kept, because no credential could be masked in them`,
    },
  };
}
