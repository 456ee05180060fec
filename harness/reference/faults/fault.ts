import type { Defect } from '../seams.ts';

/**
 * A planted fault: a reference gateway that does one thing wrong. It is what proves that a check can
 * fail. What it changes is one decision, one encoder or one frame sequence.
 */
export interface Fault extends Defect {
  /** In kebab case, the area first: `auth.keyless-chat`, `responses-stream.two-terminals`. */
  readonly id: string;
  /** What the faulty gateway does, in one sentence. */
  readonly what: string;
  /** Ids of the checks that have to turn red, or warn; the id of a row stands for all its values. */
  readonly breaks: readonly string[];
  /** Ids of checks that may fall with it, because they cannot do otherwise. */
  readonly mayAlso?: readonly string[];
}
