import type { Command } from 'commander';
import type { Defect } from '../../reference/index.ts';
import type { RunResult } from '../core/index.ts';
import type { InlineOptions, Target } from '../targets/index.ts';
import { type Terminal, UsageError } from '../terminal/index.ts';
import type { Explain } from './explain-lines.ts';
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

/** Takes the exit code of a command. */
export type Exit = (code: number) => void;

/** Loads a command when it is needed, since loading all takes as long as many runs of one. */
type LoadCommand = (terminal: Terminal, exit: Exit, line: readonly string[]) => Promise<Command>;

export type Commands = Readonly<
  Partial<Record<CommandGroup, Readonly<Record<string, LoadCommand>>>>
>;

/** A target that a command line names. */
export interface ChosenTarget {
  readonly target: Target;
  /** Ends what was started for the run. */
  close(): Promise<void>;
}

/**
 * Treatment of features that no free request shows: they are tried with short generations, presumed to be
 * served (which costs nothing, and at worst declares too much), or left open.
 */
export type Unseen = 'tried' | 'presumed' | 'open';

export interface LookingFirst {
  readonly unseen: Unseen;
  /** Timeout of one request. */
  readonly timeoutMs: number | undefined;
}

/** Files that an exploration can write. */
export interface ExplorationFiles {
  readonly html?: string | undefined;
  readonly json?: string | undefined;
  readonly script?: string | undefined;
}

/** Meaning of the option `--script`, which only explorations have. */
export const scriptMeaning =
  'a program for sh that repeats each find with curl; keys are read from the environment';

/** A fault that the reference gateway can be given. */
export interface PlantedFault extends Defect {
  /** Ids of the checks that notice it; the id of a row stands for all its values. */
  readonly breaks: readonly string[];
}

/** Planted faults that each check notices: those that it is meant to notice, and those that are recorded. */
export interface Noticed {
  /** Number of faults that are planted by hand. */
  readonly faults: number;
  /** By the id of the check, the ids of faults under which it fails in every run. */
  readonly by: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Options of `run` that change how it judges, and the change that they make. */
export interface Modifier {
  readonly options: OptionTable;
  /** `run`: what is judged; `reports`: the run with all its reports. */
  readonly around: 'run' | 'reports';
  /** Examples for the help of `run`. */
  readonly examples: string;
  /** True if `plan` takes the options, too: they change the cost. */
  readonly isPlanned?: true;
  /** @throws {UsageError} when the command line contradicts it */
  assertUsable(options: RunCommandOptions, terminal: Terminal): void;
  /** Describes what the modifier came to in a result, also in one that was judged again or merged. */
  remarkOf?(result: RunResult): NonNullable<RunResult['remarks']>;
  modify(judge: Judge): Judge;
}

/**
 * Part of Touchstone that the kernel does not import: its commands, and what the commands of the kernel ask of
 * it. `harness/features.ts` registers all of them; without that line a feature can be deleted.
 */
export interface Feature {
  readonly commands?: Commands;
  /** Modifiers of `run`, the innermost first. */
  readonly modifiers?: () => Promise<readonly Modifier[]>;
  /** Describes a gateway without a target file: looks at it free of charge, and declares what is seen. */
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
  /** Planted faults, and which checks notice them: examples, and what a check is worth. */
  readonly plantedFaults?: () => Promise<{
    readonly faults: readonly PlantedFault[];
    readonly noticedByChecks: () => Noticed;
  }>;
  /** Explains requirements of clients. */
  readonly explainOfClient?: (withExamples: boolean) => Promise<Explain>;
}

let registered: readonly Feature[] = [];

/** Makes features known to the command line. */
export function registerFeatures(features: readonly Feature[]): void {
  registered = features;
}

/** The commands of all features, by group. */
export function featureCommands(): readonly Commands[] {
  return registered.flatMap(({ commands }) => commands ?? []);
}

let loaded: readonly Modifier[] = [];

/** Loads the modifiers of all features: the commands that run or plan do so before they declare options. */
export async function loadModifiers(): Promise<readonly Modifier[]> {
  const all = await Promise.all(registered.map(({ modifiers }) => modifiers?.() ?? []));
  loaded = all.flat();
  return loaded;
}

/** Returns a result with what the modifiers remark on it. */
export async function remarked(result: RunResult): Promise<RunResult> {
  const remarks = (await loadModifiers()).flatMap((modifier) => modifier.remarkOf?.(result) ?? []);
  return remarks.length === 0 ? result : { ...result, remarks };
}

/** Returns a judge with the loaded modifiers around it. */
export function modified(around: Modifier['around'], judge: Judge): Judge {
  return loaded
    .filter((modifier) => modifier.around === around)
    .reduce((inner, modifier) => modifier.modify(inner), judge);
}

/** Returns the function of a registered feature. @throws {UsageError} where none has it */
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
