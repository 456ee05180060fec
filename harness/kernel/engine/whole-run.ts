import type { Exchange } from '../core/index.ts';
import type { Target } from '../targets/index.ts';

/** All exchanges of a run, for judgements that need more than one exchange. */
export interface WholeRun {
  readonly target: Target;
  /** Independent of timing, and including exchanges that say nothing of the gateway. */
  readonly exchanges: readonly Exchange[];
  /** Requests that the run itself sent to test for a lockout. Absent if no run has sent anything. */
  readonly sentinels?: readonly Exchange[];
}
