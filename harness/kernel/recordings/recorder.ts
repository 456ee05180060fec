import { closeSync, fchmodSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import type { Exchange } from '../core/index.ts';
import { leaving, modeOf, withoutKeyShapes } from '../redaction/index.ts';
import { mostPeers, peerLine, toLine } from '../wire/index.ts';
import { holdFile } from './held-file.ts';
import { ProvenanceLog } from './provenance-log.ts';

/**
 * Appends each exchange to a file as it ends, so that the recording survives any end of a run. A write error does
 * not stop the run: nothing further is written, and `problem` gives the reason.
 */
export class Recorder {
  readonly #path: string | null;
  #file: number | null;
  readonly #release: () => void = () => undefined;
  #problem: string | null = null;
  /** Provenance of all exchanges, even if none is recorded. */
  readonly provenance = new ProvenanceLog();
  readonly #peers = new Set<string>();
  #bytes = 0;

  /**
   * Creates the file. An earlier file of that path is removed, as with every file that a run writes.
   *
   * @param path null records nothing
   * @param header its first line
   * @throws {FileInUse} while another process writes it
   */
  constructor(path: string | null, header = '') {
    this.#path = path;
    if (path === null) {
      this.#file = null;
      return;
    }
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    const mode = modeOf(path);
    if (isFile) {
      this.#release = holdFile(path);
      // Creates a new file: data of another run that still writes is never mixed in.
      rmSync(path, { force: true });
    }
    this.#file = openSync(path, isFile ? 'ax' : 'a', 0o600);
    if (isFile) fchmodSync(this.#file, mode);
    this.#write(header);
  }

  /** Reason why the recording is incomplete, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(target: string, exchange: Exchange): void {
    this.provenance.add(exchange);
    if (this.#file === null) return;
    const { peer } = exchange;
    if (peer !== undefined && !this.#peers.has(peer.id) && this.#peers.size < mostPeers) {
      this.#peers.add(peer.id);
      this.#write(peerLine(peer));
    }
    this.#write(toLine(withoutKeyShapes(exchange), { target }));
  }

  /** Adds a line of another kind that refers to exchanges. */
  addLine(line: string): void {
    if (this.#file !== null) this.#write(line);
  }

  /** Closes the file. To be called after the last line. */
  close(): void {
    if (this.#file === null || this.#path === null) return;
    const there = statSync(this.#path, { throwIfNoEntry: false });
    if (there?.ino !== fstatSync(this.#file).ino) {
      this.#problem ??= 'it was removed or replaced while the run went on';
    }
    closeSync(this.#file);
    this.#file = null;
    this.#release();
  }

  #write(line: string): void {
    if (this.#file === null || this.#problem !== null) return;
    const bytes = Buffer.from(`${leaving(line, 'the recording')}\n`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }
}
