import type { Effect } from './effect.ts';
import type { LateError } from './late-error.ts';
import type { PaceOptions } from './script.ts';

/** Notes about a request that are taken while it is served. */
export interface Note {
  /** The faults and variants that it is answered with. */
  readonly faults: readonly string[];
  /** The rule of the script that has its answer. */
  rule: string | null;
  /** Effect of that rule on the answer. */
  effect: Effect | null;
  /** Error with which that rule ends the stream of the answer. */
  lateError: LateError | null;
  /** Headers that the rule adds to the answer; names in lower case. */
  headers: Readonly<Record<string, string>> | null;
  /** Pace that the rule sets for the answer. */
  pace: PaceOptions | null;
  /** Milliseconds before an answer that comes whole. */
  holdMs: number;
  /** Its connection is ended before its answer, on purpose. */
  cut: boolean;
  /** Bytes of the request body. */
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
