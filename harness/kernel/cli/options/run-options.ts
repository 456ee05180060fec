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
  /** Targets that are judged concurrently. */
  readonly targetsAtOnce?: number;
  readonly seed?: number;
  readonly thorough?: boolean;
  readonly shuffle?: boolean;
  readonly serial?: boolean;
  /**
   * True or false if `--settle` or `--no-settle` is given. Undefined: what the gateway put off is asked
   * again.
   */
  readonly settle?: boolean;
  readonly strict?: boolean;
  readonly rerunFailed?: string;
  readonly shard?: ShardNumber;
  /** Rounds. */
  readonly repeat?: number;
  /** Generations in flight during the run, and the maximum of them in total. */
  readonly underLoad?: number;
  readonly loadGenerations?: number;
  /** Maximum of generations: runs the checks that notice most for them. */
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

/** Options of `touchstone run` with their defaults filled in: parsed once, and read by all. */
export interface RunCommandOptions {
  /** Id prefixes; empty: everything. */
  readonly filters: readonly string[];
  /** Target files. Several: several gateways are judged. */
  readonly targets: readonly string[];
  /** Options for the target if there is only one. */
  readonly source: TargetOptions;
  readonly targetsAtOnce: number;
  readonly files: RunFiles;
  readonly print: PrintOptions;
  /** Returns the command line that repeats it; null if that is unknown. */
  readonly again: Again | null;
  readonly seed: number | undefined;
  readonly shard: ShardNumber | undefined;
  /** Number of rounds judged together, or null for a single run without rounds. */
  readonly repeat: number | null;
  /** Load during each run, or null if there is none. */
  readonly load: LoadLimits | null;
  /** Bounds of its cost. */
  readonly limits: Limits;
  /** Start of the command, and the milliseconds that it may take; undefined if there is no bound. */
  readonly deadline: { readonly since: number; readonly ms: number } | undefined;
  readonly sequence: Sequence;
  readonly settle: Settle;
  readonly strict: boolean;
  /** Official clients ask for a tenth once more. */
  readonly allowPartial: boolean;
  readonly allowInconclusive: readonly Cause[];
  /** Settings of watch mode, or null for a single run. */
  readonly watch: { readonly paths: readonly string[]; readonly delayMs: number } | null;
}

/**
 * Returns what is asked again: what the gateway put off by default, everything transient with `--settle`,
 * nothing with `--no-settle`.
 */
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
    allowPartial: given.allowPartial ?? false,
    allowInconclusive: given.allowInconclusive ?? [],
    watch:
      given.watch === true || watchPath !== undefined
        ? { paths: watchPath ?? [], delayMs: watchDelay }
        : null,
  };
}
