import type { Refusal } from '../refusal.ts';
import type { PaceOptions } from './script.ts';

export interface Effect {
  /**
   * `cut`: the connection ends before the answer does. `stall`: transmission stops, but the connection stays open.
   * `reset`: the connection is reset.
   */
  readonly end?: 'cut' | 'stall' | 'reset';
  /**
   * Number of events of a stream, or of bytes of a body or a stream, before the effect. Default: half of a body,
   * one event.
   */
  readonly after?: { readonly events: number } | { readonly bytes: number };
  /** Delay in milliseconds before a body, and before each event. */
  readonly slowMs?: number;
}

/** Error in the middle of a stream, as when a model fails while it writes. */
export interface LateError {
  /** Number of events before the error. */
  readonly after: number;
  readonly refusal: Refusal;
}

/** Data about a request that is collected while it is served. */
export interface Note {
  readonly faults: readonly string[];
  rule: string | null;
  effect: Effect | null;
  /** Error with which the rule ends the stream of the answer. */
  lateError: LateError | null;
  /** Headers that the rule adds to the answer; names in lower case. */
  headers: Readonly<Record<string, string>> | null;
  pace: PaceOptions | null;
  /** Delay in milliseconds before a complete answer. */
  holdMs: number;
  /** True if the connection is intentionally ended before the answer. */
  cut: boolean;
  /** Size of the request body in bytes. */
  bytes: number;
  /** True if the answer is a stream of events. */
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
