import type { CatalogueRows } from '../core/catalogue.ts';
import type { Traffic } from '../core/result.ts';
import type { Target } from '../target/target.ts';
import type { Sequence } from './sequence.ts';

/** What the main side orders of the worker: handed over through Vitest's `provide`. */
export interface RunOrder {
  readonly targets: readonly Target[];
  readonly seed: number;
  readonly runId: string;
  /** Ids of the checks to run; null: every one. */
  readonly selected: readonly string[] | null;
  /** The checks are only collected, to see what they would send. */
  readonly planning?: boolean;
  /** Each target is one test that judges all its checks, so many of them at once. */
  readonly many?: {
    readonly window: number;
    /** How each target is judged, in the order of `targets`. */
    readonly each: readonly OneOrder[];
  };
  /** Default: all scenarios start together, and the longest chain goes first. */
  readonly sequence?: Sequence;
  /** One byte, not 0 when the run was broken off: for what happens before the worker listens. */
  readonly stopped?: SharedArrayBuffer;
  /** File that gets a line for each exchange; null: none. */
  readonly recording: string | null;
  /** Recording that answers in the place of the target: nothing is sent. */
  readonly replay?: string;
}

/** How one of many targets is judged. */
export interface OneOrder {
  /** Ids of the checks to judge it by; null: every one. */
  readonly selected: readonly string[] | null;
  /** Default: that of the run. */
  readonly seed?: number;
  readonly sequence?: Sequence;
  /** What it answered is judged again and again, each time with a transient in it. */
  readonly transients?: boolean;
}

/** Worker to main, over a BroadcastChannel named by the run id. */
export interface Progress {
  readonly scenarios: number;
  readonly scenariosDone: number;
  readonly inFlight: number;
  readonly requests: number;
  readonly checks: number;
  readonly judged: number;
  readonly failed: number;
  /** The same by suite, in the order in which their checks stand. */
  readonly suites: readonly SuiteProgress[];
}

export interface SuiteProgress {
  readonly suite: string;
  readonly checks: number;
  readonly judged: number;
  readonly failed: number;
  /** Inconclusive, or in error. */
  readonly undecided: number;
}

export type ChannelMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'stop' };

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: RunOrder;
    /** As the main side has read it; without it the worker reads it itself. */
    touchstoneCatalogue?: CatalogueRows;
  }
}

declare module '@vitest/runner' {
  interface TaskMeta {
    /** What the worker saw of the traffic, when all is done. */
    touchstoneTraffic?: Traffic;
    /** Keys of recorded exchanges that no scenario asked for, when a recording was judged again. */
    touchstoneUnasked?: readonly string[];
  }
}
