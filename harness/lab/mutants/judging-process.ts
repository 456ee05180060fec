import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { codeFile } from '../../kernel/core/index.ts';
import type { JudgedMutant } from './judged.ts';

/** Verdict on a mutant. `ends`: the process of the gateway ended. `hangs`: its run did not end in time. */
export type Result = Omit<JudgedMutant, 'outcome'> & {
  readonly outcome: JudgedMutant['outcome'] | 'ends' | 'hangs';
};

/** Milliseconds after which a mutant counts as hanging: many times a whole run. */
const longestMs = 240_000;

/** A process that judges one mutant after another, each with a gateway in the process itself. */
export class JudgingProcess {
  #child: ChildProcess | null = null;

  /** @param id the mutant; null for the gateway without one */
  async judge(id: string | null): Promise<Result> {
    this.#child ??= fork(codeFile('harness/lab/mutants/worker', '.js'), [], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const child = this.#child;
    const done = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, longestMs);
    try {
      child.send({ id });
      return await Promise.race([
        once(child, 'message', { signal: done.signal }).then(([judged]): Result => judged),
        once(child, 'exit', { signal: done.signal }).then((): Result => {
          this.#child = null;
          return { outcome: isLate ? 'hangs' : 'ends', by: [], met: [] };
        }),
      ]);
    } finally {
      clearTimeout(timer);
      done.abort();
    }
  }

  end(): void {
    this.#child?.disconnect();
  }
}
