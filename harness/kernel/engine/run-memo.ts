import type { Target } from '../targets/index.ts';
import type { Outcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { Phases } from './schedule/phases.ts';
import type { LateAnswer } from './session.ts';

/** Memo and progress of a run at one target, independent of who sends its requests. */
export abstract class RunMemo {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly outcomes = new Map<Scenario, Promise<Outcome>>();
  readonly phases = new Phases();
  readonly undeclared = new Set<string>();
  readonly lags = new Map<Scenario, readonly LateAnswer[]>();
  scenarios = 0;
  scenariosDone = 0;
  #moved: () => void = () => {};

  constructor({ target, seed, runId }: Pick<RunMemo, 'target' | 'seed' | 'runId'>) {
    this.target = target;
    this.seed = seed;
    this.runId = runId;
  }

  onMoved(told: () => void): void {
    this.#moved = told;
  }

  moved(): void {
    this.#moved();
  }

  scenarioStarted(): void {
    this.scenarios++;
    this.#moved();
  }

  scenarioEnded(_scenario: Scenario): void {
    this.scenariosDone++;
    this.#moved();
  }
}
