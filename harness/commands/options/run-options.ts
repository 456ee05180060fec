import type { TargetOptions } from './choose-target.ts';
import type { ReportOptions } from './command-options.ts';
import type { ShardNumber } from './selection.ts';

/** The options of `touchstone run`, as they are given. */
export interface RunCommandOptions extends Omit<TargetOptions, 'target'>, ReportOptions {
  /** Several: several gateways are judged. */
  readonly target?: readonly string[];
  /** How many of several targets are judged at once. */
  readonly targetsAtOnce?: number;
  readonly seed?: number;
  readonly shuffle?: boolean;
  readonly serial?: boolean;
  readonly strict?: boolean;
  readonly allowPartial?: boolean;
  readonly knownFailures?: string;
  readonly rerunFailed?: string;
  readonly shard?: ShardNumber;
  readonly record?: string;
  readonly watch?: boolean;
  /** Files and folders of the gateway; they imply `watch`. */
  readonly watchPath?: readonly string[];
  /** Milliseconds. */
  readonly watchDelay?: number;
}
