import type { CheckVerdict } from '../core/index.ts';
import { scenariosToRun } from './capture.ts';
import { leftOpenBy } from './claims.ts';
import { whenReady } from './executor.ts';
import type { LiveRun } from './live-run.ts';
import { type Check, onCheck } from './registry.ts';
import { startScenarios } from './schedule/sequence.ts';
import { withoutKeysIn } from './without-keys.ts';

/** Judges checks while a test runner imports their files, one after another. */
export class FileByFile {
  readonly #run: LiveRun;
  readonly #checks = new Map<string, Check>();

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /**
   * Calls a function for every check that a file registers from now on.
   *
   * @param told gets false for a check of a group that a restriction leaves open: nothing is sent for it
   */
  onCheck(told: (id: string, isRun: boolean) => void): void {
    onCheck((check) => {
      const isRun = leftOpenBy(check.id, this.#run.target) === null;
      if (isRun) this.#checks.set(check.id, check);
      told(check.id, isRun);
    });
  }

  /** Starts all scenarios of these checks together, so that none waits for the chain of another check. */
  async start(ids: readonly string[]): Promise<void> {
    const on = ids.flatMap((id) => {
      const check = this.#checks.get(id);
      return check === undefined ? [] : scenariosToRun(check, this.#run.target);
    });
    // A final scenario covers all requests before it, so it runs again even if an earlier file had requested it.
    for (const scenario of this.#run.outcomes.keys()) {
      if (scenario.last) this.#run.outcomes.delete(scenario);
    }
    this.#run.prioritise(on);
    await startScenarios(this.#run, on);
  }

  /** Returns the verdict of a check that is run, with the keys in its texts masked. */
  async verdictOf(id: string): Promise<CheckVerdict> {
    const check = this.#checks.get(id);
    if (check === undefined) throw new Error(`${id} is not run`);
    return withoutKeysIn(await (await whenReady(this.#run, check))());
  }
}
