import { createWriteStream, type WriteStream } from 'node:fs';
import type { Exchange } from '../core/exchange.ts';
import { toLine } from '../wire/recording.ts';

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

  /** Everything added so far is written when this resolves. */
  flush(): Promise<void> {
    const file = this.#file;
    if (file === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      file.write('', (error) => (error == null ? resolve() : reject(error)));
    });
  }
}
