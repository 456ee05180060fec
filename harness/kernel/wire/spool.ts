import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Exchange, ReceivedResponse } from '../core/index.ts';

/** Minimum size of a body that is written to the file, in bytes. */
export const spooledFrom = 16 * 1024;

const using = new WeakMap<ReceivedResponse, Spool>();
const closing = new FinalizationRegistry<number>((file) => closeSync(file));
const unlinked = new FinalizationRegistry<string>((path) => rmSync(path, { force: true }));

/**
 * Stores the bodies of answers in a file in the system's temporary folder that only this user can read. The file is
 * unlinked as soon as it is open, so that it is gone when the process ends for any reason. If a system cannot
 * unlink open files, it is removed when the process exits. Keys are masked before bodies are stored.
 */
export class Spool {
  #file: number | null = null;
  #end = 0;
  /** True if nothing more can be written: the disk is full, or there is no folder. */
  #isFull = false;

  get bytes(): number {
    return this.#end;
  }

  /** Returns the exchange with a long body moved to the file. Returns it unchanged if the file cannot be written. */
  keep(exchange: Exchange): Exchange {
    const { response } = exchange;
    if (response === null || response.body.length < spooledFrom || this.#isFull) return exchange;
    const start = this.#end;
    try {
      this.#file ??= this.#open();
      const { body } = response;
      for (let at = 0; at < body.length; ) {
        at += writeSync(this.#file, body, at, body.length - at, start + at);
      }
      this.#end = start + body.length;
    } catch {
      this.#isFull = true;
      return exchange;
    }
    return { ...exchange, response: this.#inFile(start, response) };
  }

  /** An answer whose body is read from the file on access. */
  #inFile(start: number, { body: whole, ...rest }: ReceivedResponse): ReceivedResponse {
    const file = this.#file;
    const { length } = whole;
    let latest = new WeakRef(whole);
    const read = (): Uint8Array => {
      const body = Buffer.alloc(length);
      if (file !== null) readSync(file, body, 0, length, start);
      latest = new WeakRef(body);
      return body;
    };
    const holding: ReceivedResponse = {
      ...rest,
      get body() {
        return latest.deref() ?? read();
      },
    };
    // The file stays open while a body in it is referenced.
    using.set(holding, this);
    return holding;
  }

  #open(): number {
    const path = join(tmpdir(), `touchstone-${randomUUID()}.spool`);
    const file = openSync(path, 'wx+', 0o600);
    // Bodies read from the file are short-lived. Without this flag, V8 lets the heap grow to several times the
    // memory in use.
    setFlagsFromString('--heap-growing-percent=30');
    closing.register(this, file);
    try {
      rmSync(path);
    } catch {
      unlinked.register(this, path);
      process.once('exit', () => rmSync(path, { force: true }));
    }
    return file;
  }
}
