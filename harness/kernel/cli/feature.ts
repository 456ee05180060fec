import type { Command } from 'commander';
import type { Defect } from '../../reference/index.ts';
import type { RunResult } from '../core/index.ts';
import type { rejudge } from '../engine/index.ts';
import type { InlineOptions, Target } from '../targets/index.ts';
import { type Terminal, UsageError } from '../terminal/index.ts';
import type { Explain } from './explained.ts';
import type { Judge } from './judging/planned-run.ts';
import type { OptionTable } from './options/declared.ts';
import type { RunCommandOptions } from './options/run-table.ts';

/** Groups of commands, in the order of the help. */
export const commandGroups = [
  'Judge a gateway:',
  'Look further:',
  'Requirements and reports:',
  'Certificates:',
  'Clients:',
  'Other:',
] as const;

export type CommandGroup = (typeof commandGroups)[number];

/** Receives the exit code of a command. */
export type Exit = (code: number) => void;

/** Loads a command on demand: loading all takes as long as many runs of one. */
type LoadCommand = (terminal: Terminal, exit: Exit, line: readonly string[]) => Promise<Command>;

export type Commands = Readonly<
  Partial<Record<CommandGroup, Readonly<Record<string, LoadCommand>>>>
>;

export interface ChosenTarget {
  readonly target: Target;
  /** Stops what was started for the run. */
  close(): Promise<void>;
}

/**
 * Treatment of features that no free request shows: tried with short generations; presumed to be served (which
 * costs nothing, and at worst declares too much); or left open.
 */
export type Unseen = 'tried' | 'presumed' | 'open';

export interface LookingFirst {
  readonly unseen: Unseen;
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** Files that an exploration can write. */
export interface ExplorationFiles {
  readonly html?: string | undefined;
  readonly json?: string | undefined;
  readonly script?: string | undefined;
}

/** Help of the option `--script`, which only explorations have. */
export const scriptMeaning =
  'a program for sh that repeats each find with curl; keys are read from the environment';

/** A fault that can be planted into the reference gateway. */
export interface PlantedFault extends Defect {
  /** Ids of the checks that notice it; the id of a row includes all its values. */
  readonly breaks: readonly string[];
}

/** Faults that each check notices, by declaration or by the record. */
export interface Noticed {
  /** Number of faults that are planted by hand. */
  readonly faults: number;
  /** Ids of faults under which a check fails in every run, by the id of the check. */
  readonly by: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Options of `run` that change how it judges, and their implementation. */
export interface Modifier {
  readonly options: OptionTable;
  /** Examples for the help of `run`. */
  readonly examples: string;
  /** True if `plan` has the options, too, because they change the cost. */
  readonly isPlanned?: true;
  /** @throws {UsageError} if the command line contradicts the modifier */
  assertUsable(options: RunCommandOptions): void;
  /** Returns remarks on the effect of the modifier in a result, even a rejudged or merged one. */
  remarkOf?(result: RunResult): NonNullable<RunResult['remarks']>;
  modify(judge: Judge): Judge;
}

/**
 * Part of Touchstone that the kernel does not import: its commands, and functions that commands of the kernel need.
 * `harness/features.ts` registers all features, and without its line there a feature can be deleted.
 */
export interface Feature {
  readonly commands?: Commands;
  /** Modifiers of `run`, the innermost first. */
  readonly modifiers?: () => Promise<readonly Modifier[]>;
  /** Describes a gateway without a target file, by probing it free of charge. */
  readonly lookFirst?: (
    options: InlineOptions,
    looking: LookingFirst,
    terminal: Terminal,
    signal: AbortSignal,
  ) => Promise<Target>;
  /** Starts the reference gateway in containers. */
  readonly startInContainers?: (signal: AbortSignal) => Promise<ChosenTarget>;
  /** Judges a recorded exploration again, and returns the exit code. */
  readonly recheckExploration?: (
    recording: string,
    files: ExplorationFiles,
    colour: boolean,
    terminal: Terminal,
  ) => Promise<number>;
  /** Judges a recorded run of a client again. */
  readonly rejudgeClient?: typeof rejudge;
  /** Judges recorded traffic of clients again. */
  readonly rejudgeObserved?: typeof rejudge;
  /** Returns the planted faults, and the checks that notice them, for examples and for budgets. */
  readonly plantedFaults?: () => Promise<{
    readonly faults: readonly PlantedFault[];
    readonly noticedByChecks: () => Noticed;
  }>;
  /** Verifies a bundle. Its result is null if it is rejected, with the reason. */
  readonly verifyBundle?: (
    folder: string,
    publicKey: string | undefined,
  ) => Promise<{ readonly worth: string; readonly why: string; readonly result: RunResult | null }>;
  /** Explains requirements of clients. */
  readonly explainOfClient?: (withExamples: boolean) => Promise<Explain>;
}

let registered: readonly Feature[] = [];

/** Registers features for the command line. */
export function registerFeatures(features: readonly Feature[]): void {
  registered = features;
}

/** Returns the commands of all features, by group. */
export function featureCommands(): readonly Commands[] {
  return registered.flatMap(({ commands }) => commands ?? []);
}

let loaded: readonly Modifier[] = [];

/** Loads the modifiers of all features. Commands that run or plan do so before they declare options. */
export async function loadModifiers(): Promise<readonly Modifier[]> {
  const all = await Promise.all(registered.map(({ modifiers }) => modifiers?.() ?? []));
  loaded = all.flat();
  return loaded;
}

/** Returns a result with the remarks of all modifiers. */
export async function remarked(result: RunResult): Promise<RunResult> {
  const remarks = (await loadModifiers()).flatMap((modifier) => modifier.remarkOf?.(result) ?? []);
  return remarks.length === 0 ? result : { ...result, remarks };
}

/** Returns a judge wrapped in the loaded modifiers. */
export function modified(judge: Judge): Judge {
  return loaded.reduce((inner, modifier) => modifier.modify(inner), judge);
}

/** Returns the function of a registered feature. @throws {UsageError} if no feature has it */
export function provided<Name extends keyof Feature>(
  name: Name,
  purpose: string,
): NonNullable<Feature[Name]> {
  for (const feature of registered) {
    const one = feature[name];
    if (one !== undefined) return one;
  }
  throw new UsageError(`${purpose} is not part of this installation of Touchstone.`);
}
