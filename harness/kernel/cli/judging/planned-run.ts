import type { RunResult } from '../../core/index.ts';
import type { Plan, RunOptions, Selection } from '../../engine/index.ts';
import type { Target } from '../../targets/index.ts';
import type { ProgressDisplay, RecordingFile, Terminal } from '../../terminal/index.ts';
import type { RunCommandOptions } from '../options/run-table.ts';
import type { RunFiles } from '../options/target-placeholder.ts';

/** A run of one target as it is asked for. Modifiers change it before it is planned. */
export interface JudgeRequest {
  /** The command line. */
  readonly options: RunCommandOptions;
  /** Files of this target. */
  readonly files: RunFiles;
  /** Start of the time that the run may take. */
  readonly since: number;
  readonly seed: number | undefined;
  /** Seed where nothing else says which. */
  readonly chance: number;
  /** Part of the checks that the run is narrowed to. */
  readonly only: Selection | undefined;
  /** Generations, at most, before they are shared out. */
  readonly generations: number | undefined;
  /** Returns the share of this run in a bound on the whole command. */
  readonly shareOf: (whole: number) => number;
}

/** The world of a run that begins, and what modifiers change of it. */
export interface RunStart {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly progress: Pick<ProgressDisplay, 'update' | 'say' | 'end'>;
  /** Judges in another thread. Default: in this one. */
  readonly run?: (options: RunOptions) => Promise<RunResult>;
  readonly seed?: number;
  readonly recording?: RecordingFile;
  readonly load?: RunOptions['load'];
}

/** Cost that a modifier adds to a run, for the reader and for programs. */
interface AddedCost {
  readonly label: string;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A run that is planned: nothing is sent yet. */
export interface PlannedRun {
  /** Description of the checks that a budget leaves, for the reader. */
  readonly said: readonly string[];
  readonly costs: readonly AddedCost[];
  /** Number of runs like this one that it makes, one after another. */
  readonly times: number;
  readonly seed: number;
  readonly recording: RecordingFile;
  plan(): Promise<Plan>;
  begin(sending: RunStart): Promise<RunResult>;
}

/** Plans a run of a target. @throws {UsageError} where the options leave nothing to judge */
export type Judge = (target: Target, request: JudgeRequest) => Promise<PlannedRun>;
