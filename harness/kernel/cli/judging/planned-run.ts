import type { RunResult } from '../../core/index.ts';
import type { Plan, RunOptions } from '../../engine/index.ts';
import type { Selection } from '../../recordings/index.ts';
import type { Target } from '../../targets/index.ts';
import type { ProgressDisplay, RecordingFile, Terminal } from '../../terminal/index.ts';
import type { RunCommandOptions } from '../options/run-table.ts';
import type { RunFiles } from '../options/target-placeholder.ts';

/** Request to judge one target. Modifiers change it before the run is planned. */
export interface JudgeRequest {
  /** The command line. */
  readonly options: RunCommandOptions;
  /** Files of this target. */
  readonly files: RunFiles;
  /** Start of the time that the run may take, by the clock of `performance.now()`. */
  readonly since: number;
  readonly seed: number | undefined;
  /** Seed if neither an option nor a report gives one. */
  readonly chance: number;
  /** Part of the checks that the run is narrowed to. */
  readonly only: Selection | undefined;
  /** Maximum number of generations, before it is divided among runs. */
  readonly generations: number | undefined;
  /** True if exchanges are shown, so that the run is recorded. Default: only in an HTML report. */
  readonly isShown?: true;
  /** Returns the share of this run in a bound on the whole command. */
  readonly shareOf: (whole: number) => number;
}

/** Environment of a run that begins, and settings that modifiers change. */
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

/** A planned run, of which nothing is sent yet. */
export interface PlannedRun {
  /** Description of the checks within the budget, for the reader. */
  readonly said: readonly string[];
  readonly costs: readonly AddedCost[];
  /** Number of consecutive runs like this one. */
  readonly times: number;
  readonly seed: number;
  readonly recording: RecordingFile;
  plan(): Promise<Plan>;
  begin(sending: RunStart): Promise<RunResult>;
}

/** Plans a run of a target. @throws {UsageError} if the options leave nothing to judge */
export type Judge = (target: Target, request: JudgeRequest) => Promise<PlannedRun>;
