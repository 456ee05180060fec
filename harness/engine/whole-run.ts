import type { Exchange } from '../core/index.ts';
import type { Target } from '../target/index.ts';

/** All that was exchanged, for what cannot be judged on one exchange alone. */
export interface WholeRun {
  readonly target: Target;
  /** In an order that does not depend on what came first; those that say nothing of the gateway are among them. */
  readonly exchanges: readonly Exchange[];
  /** What the run itself asked for, to see whether it was locked out; left out where no run has sent anything. */
  readonly sentinels?: readonly Exchange[];
}
