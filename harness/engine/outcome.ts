import type { Cause, Exchange } from '../core/index.ts';
import type { Obstacle } from './needs.ts';

/** What running a scenario came to. Every exchange in it has settled. */
export type Outcome<Captured = unknown> =
  | {
      readonly kind: 'captured';
      readonly captured: Captured;
      readonly exchanges: readonly Exchange[];
    }
  | (Obstacle & {
      /** Where it was found out on the way: `NothingToJudge`. */
      readonly exchanges?: readonly Exchange[];
    })
  | {
      readonly kind: 'inconclusive';
      readonly cause: Cause;
      readonly reason: string;
      readonly exchange: Exchange | null;
      readonly exchanges: readonly Exchange[];
      /** Nothing was sent: it is a prerequisite that decided nothing, which the reason names. */
      readonly waits?: true;
    }
  | { readonly kind: 'error'; readonly error: unknown; readonly exchanges: readonly Exchange[] };

/** What was sent, whatever came of it. */
export function exchangesOf(outcome: Outcome): readonly Exchange[] {
  return outcome.exchanges ?? [];
}
