import type { Effect } from './effect.ts';

/** What is noted of a request while it is served, beside what it says itself. */
export interface Note {
  /** The faults and variants that it is answered with. */
  readonly faults: readonly string[];
  /** The rule of the script that has its answer. */
  rule: string | null;
  /** What that rule does to the answer. */
  effect: Effect | null;
  /** Of its body. */
  bytes: number;
  /** Its answer is a stream of events. */
  streamed: boolean;
}

export function note(faults: readonly string[]): Note {
  return { faults, rule: null, effect: null, bytes: 0, streamed: false };
}
