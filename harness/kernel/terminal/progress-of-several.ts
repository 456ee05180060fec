import type { Progress, SuiteProgress } from '../engine/index.ts';
import { shortened } from '../report/index.ts';

/** Maximum characters of a name in the live display. */
const longest = 32;

/** Joint progress of the runs of several targets. Each target takes the place of a suite. */
export class ProgressOfSeveral {
  readonly #seen = new Map<string, Progress>();
  readonly #names: readonly string[];

  /** @param names of all targets, in display order */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Records the progress of one target. @returns the joint progress */
  update(name: string, progress: Progress): Progress {
    this.#seen.set(name, progress);
    const all = this.#names.flatMap((one) => this.#seen.get(one) ?? []);
    const sum = (of: (one: Progress) => number): number =>
      all.reduce((total, one) => total + of(one), 0);
    return {
      scenarios: sum(({ scenarios }) => scenarios),
      scenariosDone: sum(({ scenariosDone }) => scenariosDone),
      inFlight: sum(({ inFlight }) => inFlight),
      requests: sum(({ requests }) => requests),
      checks: sum(({ checks }) => checks),
      judged: sum(({ judged }) => judged),
      failed: sum(({ failed }) => failed),
      ...this.#round(all),
      suites: this.#names.flatMap((one) => {
        const seen = this.#seen.get(one);
        return seen === undefined ? [] : [rowOf(one, seen)];
      }),
    };
  }

  #round(all: readonly Progress[]): Pick<Progress, 'round'> {
    const rounds = all.flatMap(({ round }) => round ?? []);
    const [first, ...others] = rounds;
    if (first === undefined) return {};
    return { round: others.reduce((a, b) => (b.number < a.number ? b : a), first) };
  }
}

function rowOf(name: string, { checks, judged, failed, suites }: Progress): SuiteProgress {
  return {
    suite: shortened(name, longest),
    checks,
    judged,
    failed,
    undecided: suites.reduce((total, { undecided }) => total + undecided, 0),
  };
}
