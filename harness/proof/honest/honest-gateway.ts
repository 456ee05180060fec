import type { Target } from '../../kernel/targets/index.ts';
import type { Defect, ReferenceOptions } from '../../reference/index.ts';
import type { Front } from './front.ts';

/**
 * A gateway that does all that the specification says, in circumstances that real ones have: it lags,
 * is in a hurry, stands behind something. Unlike a variant, it may keep a run waiting.
 */
export interface HonestGateway {
  /** `lag.store-200` */
  readonly id: string;
  /** Description of the circumstances, in one sentence. */
  readonly what: string;
  /** Differences from the reference gateway. */
  readonly override?: Defect['override'];
  readonly pace?: Pick<ReferenceOptions, 'latencyMs' | 'tokenMs'>;
  /** Makes the intermediary before every region, anew for each gateway that is started. */
  readonly front?: () => Front;
  /** Ids of rows and areas that its circumstance can touch, by which alone it is judged. Default: all. */
  readonly rows?: readonly string[];
  /** Rows that such a gateway leaves nothing to judge by, so that they may stay undecided. */
  readonly open?: readonly string[];
  /** A gateway that mostly waits: many such are judged side by side, with one seed, on an idle machine. */
  readonly waits?: true;
  /** Returns the target file as the owner of the gateway writes it. */
  readonly described?: (target: Target) => Target;
}

/**
 * A gateway in the same circumstances that also has a defect. Tolerating the circumstances must not hide
 * the defect.
 */
export interface BrokenTwin extends HonestGateway {
  /** Ids of checks or rows, of which at least one of each fails. */
  readonly breaks: readonly string[];
}
