import type { Target } from '../../kernel/targets/index.ts';
import type { Defect, ReferenceOptions } from '../../reference/index.ts';
import type { Front } from './front.ts';

/**
 * A gateway that follows the specification in realistic circumstances: it lags, is fast, or runs behind an
 * intermediary. Unlike a variant, it may delay a run.
 */
export interface HonestGateway {
  /** Id such as `lag.store-200`. */
  readonly id: string;
  readonly what: string;
  readonly override?: Defect['override'];
  readonly pace?: Pick<ReferenceOptions, 'latencyMs' | 'tokenMs'>;
  /** Creates the intermediary in front of every region, for each gateway that is started. */
  readonly front?: () => Front;
  /** Ids of rows and areas that its circumstances can affect, by which alone it is judged. Default: all. */
  readonly rows?: readonly string[];
  /** Rows that may stay undecided, because such a gateway leaves nothing to judge. */
  readonly open?: readonly string[];
  /** True for a gateway that mostly waits: many of these are judged concurrently, with one seed, on an idle machine. */
  readonly waits?: true;
  /** Returns the target file as the owner of the gateway writes it. */
  readonly described?: (target: Target) => Target;
}

/**
 * A gateway in the same circumstances that also has a defect. Tolerating the circumstances must not hide the defect.
 */
export interface BrokenTwin extends HonestGateway {
  /** Ids of checks or rows. For each, at least one check fails. */
  readonly breaks: readonly string[];
}
