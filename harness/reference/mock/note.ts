import type { Effect } from './effect.ts';
import type { LateError } from './late-error.ts';
import type { PaceOptions } from './script.ts';

/** What is noted of a request while it is served, beside what it says itself. */
export interface Note {
  /** The faults and variants that it is answered with. */
  readonly faults: readonly string[];
  /** The rule of the script that has its answer. */
  rule: string | null;
  /** What that rule does to the answer. */
  effect: Effect | null;
  /** How that rule lets the stream of the answer end. */
  lateError: LateError | null;
  /** What that rule adds to the headers of the answer; names in lower case. */
  headers: Readonly<Record<string, string>> | null;
  /** How fast that rule has its answer. */
  pace: PaceOptions | null;
  /** Milliseconds before an answer that comes whole. */
  holdMs: number;
  /** Its connection is ended before its answer, on purpose. */
  cut: boolean;
  /** Of its body. */
  bytes: number;
  /** Its answer is a stream of events. */
  streamed: boolean;
}

export function note(faults: readonly string[]): Note {
  return {
    faults,
    rule: null,
    effect: null,
    lateError: null,
    headers: null,
    pace: null,
    holdMs: 0,
    cut: false,
    bytes: 0,
    streamed: false,
  };
}
