import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../core/index.ts';
import type { ExchangeViews } from '../report/index.ts';
import { exchangeViews } from './exchange-views.ts';

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

  /** Records that the recording is incomplete. */
  readonly failed = (why: string): void => {
    this.#problem = `${this.#what} is not whole: ${why}`;
  };

  views(result: RunResult): Promise<ExchangeViews> {
    return exchangeViews(this.path ?? '', result);
  }

  /** Removes the file if it is temporary. */
  release(): void {
    this.#remove();
  }
}

/**
 * Folders to remove when the process exits: a second Ctrl-C ends it at once, and its exchanges must not be left
 * behind. All share one listener, because Node warns of a leak above ten.
 */
const temporary = new Set<string>();
process.once('exit', () => temporary.forEach(remove));

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the recording that a run needs: the named file, or a temporary one for a report. */
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
