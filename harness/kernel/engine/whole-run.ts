import type { Exchange } from '../core/index.ts';
import type { Target } from '../targets/index.ts';

/** All that was exchanged, for what cannot be judged on one exchange alone. */
export interface WholeRun {
  readonly target: Target;
  /** In an order that does not depend on what came first; those that say nothing of the gateway are among them. */
  readonly exchanges: readonly Exchange[];
  /** Requests that the run itself sent to see if it was locked out. Absent if no run has sent anything. */
  readonly sentinels?: readonly Exchange[];
}
