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

/** Maximum number of content codings to decode. An answer with more is an attempt to waste resources. */
const mostCodings = 3;

/** The content codings of an answer, in the order of their application. */
function codingsOf(headers: HeaderLines): string[] {
  return headers
    .filter(([header]) => header.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** The codings that the recorded body was decoded from. Null if the body arrived without a coding. */
export function decodedFrom({ headers, body }: ReceivedResponse): string | null {
  const codings = codingsOf(headers);
  return body.length > 0 && isDecodable(codings) ? codings.join(', ') : null;
}

/** True if a body with these codings is recorded in its decoded form. */
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
  /** Called when the message has ended and all received data is decoded. */
  end(): void;
  tooLarge(): void;
  undecodable(failure: ExchangeFailure): void;
}

/**
 * Decodes the content codings of a body as it arrives, including codings that the request does not accept: HTTP
 * lets a server send them, and the clients of every protocol decode them. A credential in a coded body could not be
 * found and masked.
 */
export class BodyDecoder {
  readonly #stages: readonly Transform[];
  readonly #maxBytes: number;
  readonly #handlers: BodyHandlers;
  #codedBytes = 0;
  #ending = false;

  /** @param maxBytes bound of the coded body. The handlers enforce the bound of the decoded one. */
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
    // Bounds the bytes that wait in a decoder, because nothing pauses the parser in front of it.
    this.#codedBytes += piece.length;
    if (this.#codedBytes > this.#maxBytes) this.#handlers.tooLarge();
    else first.write(piece);
  }

  end(): void {
    this.#ending = true;
    // The end of the coded format may precede the end of the message. An empty body has nothing to decode.
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
 * Removes the body of an answer if its coding cannot be decoded: the body could hold a credential that nothing can
 * mask. A text is kept even if its headers declare a coding.
 *
 * @returns the answer, and the reason if its body was removed
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
