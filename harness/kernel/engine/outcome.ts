import type { Cause, Exchange } from '../core/index.ts';
import type { Obstacle } from './needs.ts';

/** Outcome of a scenario. Every exchange in it has settled. */
export type Outcome<Captured = unknown> =
  | {
      readonly kind: 'captured';
      readonly captured: Captured;
      readonly exchanges: readonly Exchange[];
    }
  | (Obstacle & {
      /** Present if the flow itself threw `NothingToJudge`. */
      readonly exchanges?: readonly Exchange[];
    })
  | {
      readonly kind: 'inconclusive';
      readonly cause: Cause;
      readonly reason: string;
      readonly exchange: Exchange | null;
      readonly exchanges: readonly Exchange[];
      /** Nothing was sent: a prerequisite, which the reason names, decided nothing. */
      readonly waits?: true;
    }
  | { readonly kind: 'error'; readonly error: unknown; readonly exchanges: readonly Exchange[] };

export function exchangesOf(outcome: Outcome): readonly Exchange[] {
  return outcome.exchanges ?? [];
}
