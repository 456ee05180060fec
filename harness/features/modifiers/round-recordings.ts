import { basename } from 'node:path';
import type { CheckResult, RunResult } from '../../kernel/core/index.ts';
import type { ExchangeView, ExchangeViews } from '../../kernel/report/index.ts';
import { exchangeViews, RecordingFile, recordingFile } from '../../kernel/terminal/index.ts';

/**
 * The recordings of a repeated run: a file for each round if the user named one, or else a temporary file that each
 * round overwrites.
 */
export class RoundRecordings extends RecordingFile {
  readonly #named: string | undefined;
  readonly #isShown: boolean;
  readonly #temporary: RecordingFile;
  readonly #views = new Map<string, ExchangeView>();
  #last: RecordingFile | null = null;

  /** @param isShown true if a report shows their exchanges */
  constructor(named: string | undefined, isShown: boolean) {
    super(undefined, 'the recording', { name: named && ofRound(named, '*') });
    this.#named = named;
    this.#isShown = isShown;
    this.#temporary = recordingFile(undefined, isShown && named === undefined);
  }

  /** The recording of a round, counted from 1. */
  round(number: number): RecordingFile {
    const named = this.#named;
    this.#last =
      named === undefined ? this.#temporary : recordingFile(ofRound(named, number), false);
    return this.#last;
  }

  /** Keeps the exchanges of the last round that a report shows: those of these checks' findings. */
  async keep(round: RunResult, checks: readonly CheckResult[]): Promise<void> {
    const { path, problem = null } = this.#last ?? {};
    if (problem !== null) this.failed(problem);
    if (!this.#isShown || path === undefined) return;
    // The verdict of these checks is from this round now, so their earlier exchanges no longer apply.
    for (const { id } of checks) this.#views.delete(id);
    for (const [id, view] of await exchangeViews(path, { ...round, checks })) {
      this.#views.set(id, view);
    }
  }

  override views(): Promise<ExchangeViews> {
    return Promise.resolve(this.#views);
  }

  override release(): void {
    this.#temporary.release();
  }
}

/** `out/run.jsonl` → `out/run-3.jsonl` */
function ofRound(file: string, number: number | string): string {
  const name = basename(file);
  const stem = name.replace(/(?<=.)\.[^.]*$/, '');
  return `${file.slice(0, file.length - name.length)}${stem}-${number}${name.slice(stem.length)}`;
}
