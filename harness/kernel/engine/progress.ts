import { type CheckVerdict, type Finding, type HeldBy, suiteOf } from '../core/index.ts';
import type { Check } from './registry.ts';
import type { TargetRun } from './session.ts';
import type { Traffic } from './traffic.ts';

export interface Progress {
  readonly scenarios: number;
  readonly scenariosDone: number;
  readonly inFlight: number;
  readonly requests: number;
  readonly checks: number;
  readonly judged: number;
  readonly failed: number;
  /** Reason why the run may send nothing at this moment; null or absent if it may. */
  readonly heldBy?: HeldBy | null;
  /** Maximum milliseconds of the rest, at the pace so far; null: unknown. */
  readonly leftMs?: number | null;
  /** Checks by suite, in the order of the catalogue. */
  readonly suites: readonly SuiteProgress[];
  /** Requirements that did not hold so far, in the order in which they were judged. */
  readonly broken?: readonly BrokenCheck[];
  readonly round?: { readonly number: number; readonly of: number };
}

interface BrokenCheck extends Finding {
  readonly id: string;
  /** `fail` for a MUST, `warn` for a SHOULD. */
  readonly state: 'fail' | 'warn';
}

export interface SuiteProgress {
  readonly suite: string;
  readonly checks: number;
  readonly judged: number;
  readonly failed: number;
  /** Inconclusive, or in error. */
  readonly undecided: number;
}

/** Minimum milliseconds between two reports. */
const leastPause = 50;
/** Milliseconds after which the pace of a run is meaningful. */
const soonestMs = 3_000;

type Counted = { -readonly [Name in keyof SuiteProgress]: SuiteProgress[Name] };

/** Counts the progress of a run and reports it at intervals. The last report is never dropped. */
export class ProgressCount {
  readonly #suites = new Map<string, Counted>();
  readonly #broken: BrokenCheck[] = [];
  readonly #run: TargetRun;
  readonly #traffic: Traffic;
  readonly #tell: (progress: Progress) => void;
  #told = 0;
  readonly #began = performance.now();
  #toTell: NodeJS.Timeout | undefined;

  /** @param checks all that will be judged */
  constructor(
    checks: readonly Check[],
    run: TargetRun,
    traffic: Traffic,
    tell: (progress: Progress) => void,
  ) {
    this.#run = run;
    this.#traffic = traffic;
    this.#tell = tell;
    for (const check of checks) this.#of(check).checks++;
  }

  judged(check: Check, verdict: CheckVerdict): void {
    const { state } = verdict;
    if (state === 'fail' || state === 'warn') {
      const { expected, actual, evidence } = verdict;
      this.#broken.push({ id: check.id, state, expected, actual, evidence });
    }
    const count = this.#of(check);
    count.judged++;
    if (state === 'fail') count.failed++;
    if (state === 'inconclusive' || state === 'error') count.undecided++;
    this.moved();
  }

  /** To be called after any change that may be worth reporting. */
  moved(): void {
    const now = performance.now();
    if (now - this.#told < leastPause) {
      this.#toTell ??= setTimeout(() => this.moved(), leastPause).unref();
      return;
    }
    this.#told = now;
    this.end();
    const suites = [...this.#suites.values()];
    this.#tell({
      scenarios: this.#run.scenarios,
      scenariosDone: this.#run.scenariosDone,
      inFlight: this.#traffic.inFlight,
      requests: this.#traffic.requests,
      checks: sum(suites, ({ checks }) => checks),
      judged: sum(suites, ({ judged }) => judged),
      failed: sum(suites, ({ failed }) => failed),
      heldBy: this.#run.heldBy ?? null,
      leftMs: this.#leftMs(now),
      suites: suites.map((count) => ({ ...count })),
      broken: this.#broken,
    });
  }

  /** Estimates from the plan, which is a maximum: runs often send less. */
  #leftMs(now: number): number | null {
    const { retries, heldBy = null, target } = this.#run;
    const { requestsLeft } = retries;
    const elapsedMs = now - this.#began;
    const isHeld = heldBy === 'rate-limit' || heldBy === 'lockout';
    if (requestsLeft === undefined || isHeld || elapsedMs < soonestMs) return null;
    const perMs = this.#traffic.requests / elapsedMs;
    const hostilePerMs = Math.min(perMs, (target.limits.hostilePerSecond ?? Infinity) / 1_000);
    const { ordinary, hostile } = requestsLeft;
    const leftMs = ordinary / perMs + (hostile === 0 ? 0 : hostile / hostilePerMs);
    return Number.isFinite(leftMs) ? leftMs : null;
  }

  end(): void {
    clearTimeout(this.#toTell);
    this.#toTell = undefined;
  }

  #of({ id }: Check): Counted {
    const suite = suiteOf(id);
    const count = this.#suites.get(suite) ?? {
      suite,
      checks: 0,
      judged: 0,
      failed: 0,
      undecided: 0,
    };
    this.#suites.set(suite, count);
    return count;
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
