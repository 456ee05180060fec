import type { Cause } from '../../core/index.ts';
import type { Sequence, Settle } from '../../engine/index.ts';
import { type PrintOptions, reportFilesIn } from '../../terminal/index.ts';
import type { Limits } from './budget.ts';
import type { SeveralTargets, TargetOptions } from './choose-target.ts';
import { type Excuses, lookOf, type ReportOptions } from './command-options.ts';
import type { Again } from './invocation.ts';
import { type LoadLimits, loadLimits } from './load.ts';
import type { ShardNumber } from './selection.ts';
import type { RunFiles } from './target-placeholder.ts';

/** The options of `touchstone run`, as Commander gives them. */
export interface GivenRunOptions extends SeveralTargets, ReportOptions, Excuses {
  /** How many of several targets are judged at once. */
  readonly targetsAtOnce?: number;
  readonly seed?: number;
  readonly thorough?: boolean;
  readonly shuffle?: boolean;
  readonly serial?: boolean;
  /** Undefined: what the gateway put off is asked for once more. */
  readonly settle?: boolean;
  readonly strict?: boolean;
  readonly shadow?: boolean;
  readonly rerunFailed?: string;
  readonly shard?: ShardNumber;
  /** Rounds. */
  readonly repeat?: number;
  /** Generations in flight beside the run, and how many of them at most. */
  readonly underLoad?: number;
  readonly loadGenerations?: number;
  /** At most; the checks that notice most for them. */
  readonly generations?: number;
  /** Output tokens, at most, likewise. */
  readonly tokens?: number;
  readonly smoke?: boolean;
  /** Milliseconds. */
  readonly deadline?: number;
  readonly record?: string;
  readonly watch?: boolean;
  /** Files and folders of the gateway; they imply `watch`. */
  readonly watchPath?: readonly string[];
  /** Milliseconds. */
  readonly watchDelay?: number;
}

/** What `touchstone run` was asked for, with the defaults filled in: made once, and read by all. */
export interface RunCommandOptions {
  /** Id prefixes; empty: everything. */
  readonly filters: readonly string[];
  /** Target files. Several: several gateways are judged. */
  readonly targets: readonly string[];
  /** What to judge, where it is one gateway. */
  readonly source: TargetOptions;
  readonly targetsAtOnce: number;
  readonly files: RunFiles;
  readonly print: PrintOptions;
  /** How it is typed again; null: that is not known. */
  readonly again: Again | null;
  readonly seed: number | undefined;
  readonly shard: ShardNumber | undefined;
  /** How many rounds are judged together; null: one run, which is no round. */
  readonly repeat: number | null;
  /** What is in flight beside each run; null: nothing. */
  readonly load: LoadLimits | null;
  /** What it may cost, at most. */
  readonly limits: Limits;
  /** When the command began, and how many milliseconds it may take; undefined: as many as it takes. */
  readonly deadline: { readonly since: number; readonly ms: number } | undefined;
  readonly sequence: Sequence;
  readonly settle: Settle;
  readonly strict: boolean;
  /** Official clients ask for a tenth once more. */
  readonly shadow: boolean;
  readonly allowPartial: boolean;
  readonly allowInconclusive: readonly Cause[];
  /** Null: one run, and no other. */
  readonly watch: { readonly paths: readonly string[]; readonly delayMs: number } | null;
}

/** What is asked for once more: by default what the gateway put off, and all or nothing of it on request. */
export function settleOf({ settle }: Pick<GivenRunOptions, 'settle'>): Settle {
  if (settle === undefined) return 'put-off';
  return settle ? 'transient' : 'none';
}

/**
 * @param filters the ids that the command line names
 * @param again how it is typed again
 */
export function runOptions(
  filters: readonly string[],
  given: GivenRunOptions,
  again: Again | null = null,
): RunCommandOptions {
  const { target: targets = [], baseUrl, model, protocol, header, reference, ...rest } = given;
  const { restriction } = rest;
  const { concurrency, rps, timeout, thorough } = rest;
  const { record, knownFailures, rerunFailed } = rest;
  const {
    seed,
    shard,
    repeat,
    generations,
    tokens,
    smoke,
    deadline,
    shuffle = false,
    serial = false,
    watchPath,
    watchDelay = 500,
  } = rest;
  const [target] = targets;
  return {
    filters,
    targets,
    source: {
      target,
      baseUrl,
      model,
      protocol,
      header,
      restriction,
      reference,
      concurrency,
      rps,
      timeout,
      thorough,
    },
    targetsAtOnce: given.targetsAtOnce ?? 4,
    files: { ...reportFilesIn(rest), record, knownFailures, rerunFailed },
    print: lookOf(given),
    again,
    seed,
    shard,
    repeat: repeat ?? null,
    load: loadLimits(given),
    limits: { generations, tokens, smoke },
    deadline: deadline === undefined ? undefined : { since: performance.now(), ms: deadline },
    sequence: { shuffle, serial },
    settle: settleOf(given),
    strict: given.strict ?? false,
    shadow: given.shadow ?? false,
    allowPartial: given.allowPartial ?? false,
    allowInconclusive: given.allowInconclusive ?? [],
    watch:
      given.watch === true || watchPath !== undefined
        ? { paths: watchPath ?? [], delayMs: watchDelay }
        : null,
  };
}
