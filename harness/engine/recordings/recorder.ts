import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Exchange } from '../../core/exchange.ts';
import { toLine } from '../../wire/recording.ts';
import type { ClientSession } from '../clients/session.ts';
import { sessionLine } from '../clients/session-line.ts';

/** Appends each exchange to a file as it ends, so that an interrupted run keeps what it measured. */
export class Recorder {
  readonly #file: WriteStream | null;

  /** @param path null records nothing */
  constructor(path: string | null) {
    this.#file = path === null ? null : createWriteStream(path, { flags: 'a' });
  }

  add(target: string, exchange: Exchange): void {
    this.#file?.write(`${toLine(exchange, { target })}\n`);
  }

  /** A start of the client under test; its exchanges have lines of their own. */
  addSession(session: ClientSession): void {
    this.#file?.write(`${sessionLine(session)}\n`);
  }

  /** Nothing is added any more; everything is written when this resolves. */
  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    await finished(this.#file);
  }
}
