import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../core/index.ts';
import type { ExchangeViews } from '../report/index.ts';
import { exchangeViews } from './exchange-views.ts';

/** The file that a run is recorded to. */
export class RecordingFile {
  /** Path of the recording, or undefined if the run is not recorded. */
  readonly path: string | undefined;
  /** Name for messages, or undefined if the user named no file. */
  readonly name: string | undefined;
  readonly #what: string;
  readonly #remove: () => void;
  #problem: string | null = null;

  constructor(
    path: string | undefined,
    what: string,
    { name, remove = () => undefined }: { name?: string | undefined; remove?: () => void } = {},
  ) {
    this.path = path;
    this.name = name;
    this.#what = what;
    this.#remove = remove;
  }

  /** Reason why the recording is incomplete, or null if it is complete or there is none. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Reports that the recording is incomplete. */
  readonly failed = (why: string): void => {
    this.#problem = `${this.#what} is not whole: ${why}`;
  };

  /** The exchanges that the findings of a run rest on. */
  views(result: RunResult): Promise<ExchangeViews> {
    return exchangeViews(this.path ?? '', result);
  }

  /** Removes the file when it was a temporary one. */
  release(): void {
    this.#remove();
  }
}

/**
 * Folders that go with the process at the latest: a second Ctrl-C ends it at once, and nothing of what it sent is to be
 * left behind. One listener for all: Node takes more than ten for a leak, and says so to the user.
 */
const temporary = new Set<string>();
process.once('exit', () => temporary.forEach(remove));

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The recording that a run needs: the file the user named, or a temporary one when only a report
 * wants it.
 */
export function recordingFile(named: string | undefined, wanted: boolean): RecordingFile {
  if (named !== undefined || !wanted)
    return new RecordingFile(named, `--record ${named}`, { name: named });
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-recording-'));
  temporary.add(folder);
  const what = 'the recording that the HTML report shows exchanges of';
  return new RecordingFile(join(folder, 'exchanges.jsonl'), what, {
    remove: () => {
      temporary.delete(folder);
      remove(folder);
    },
  });
}
