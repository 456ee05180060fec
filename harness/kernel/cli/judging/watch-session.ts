import { setTimeout as delay } from 'node:timers/promises';
import { type CheckResult, exitCodes, forgetCatalogue, type RunResult } from '../../core/index.ts';
import { RunWorkers, type Selection } from '../../engine/index.ts';
import { askAllRegions } from '../../probing/index.ts';
import { secretsOf } from '../../protocols/index.ts';
import {
  explain,
  openIn,
  type Rerun as ReportedRerun,
  renderRerun,
  updated,
} from '../../report/index.ts';
import { type Target, Unreachable } from '../../targets/index.ts';
import {
  consoleOf,
  exchangeViews,
  failureOf,
  interrupted,
  type ProgressDisplay,
  printReport,
  recordingFile,
  showProgress,
  type Terminal,
  writeReports,
} from '../../terminal/index.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { offendersOf } from '../options/selection.ts';
import type { RunFiles } from '../options/target-placeholder.ts';
import { excused, exitCodeOf, judgeTarget } from './judge-target.ts';
import type { Rerun } from './reruns.ts';

/** Between two looks whether the gateway is there, in milliseconds. */
const lookEvery = 500;

interface WatchSessionOptions {
  readonly options: RunCommandOptions;
  readonly files: RunFiles;
  readonly terminal: Terminal;
  /** All runs have the same, so that they can be compared. */
  readonly seed: number;
  /** The target as it is described now. */
  readonly target: () => Promise<Target>;
  /** True if the gateway is not started by Touchstone, and may be restarting. */
  readonly foreign: boolean;
  /** An earlier report to go on from; undefined: the first run is of everything. */
  readonly earlier?: RunResult;
}

/** Runs of one gateway, one after another, and what is known of it by them. */
export class WatchSession {
  readonly #is: WatchSessionOptions;
  /** Latest results, before known failures are taken out. */
  #known: RunResult | null;
  #progress: ProgressDisplay | null = null;
  #exitCode: number = interrupted;

  constructor(is: WatchSessionOptions) {
    this.#is = is;
    this.#known = is.earlier ?? null;
  }

  /** Exit code of the command if it ended now: that of the last verdict. */
  get exitCode(): number {
    return this.#exitCode;
  }

  /** True if a run is sending requests. */
  get isSending(): boolean {
    return this.#progress !== null;
  }

  /** Prints a line above the live display. */
  say(line: string): void {
    if (this.#progress === null) this.#is.terminal.stderr.write(`${line}\n`);
    else this.#progress.say(line);
  }

  /**
   * Runs again. Errors are reported, and leave the earlier results as they were.
   *
   * @param ended the user ends the command: what came is reported
   * @param changed something changed that makes the run worthless
   */
  async rerun(rerun: Rerun, ended: AbortSignal, changed: AbortSignal): Promise<void> {
    let target: Target | undefined;
    try {
      if (rerun.scope === 'verdict') return this.#judgeAgain(rerun);
      forgetCatalogue();
      target = await this.#is.target();
      const stop = AbortSignal.any([ended, changed]);
      if (this.#is.foreign) await this.#gatewayIsThere(target, stop);
      if (stop.aborted) return;
      const open = rerun.scope === 'open' && this.#known !== null ? this.#open(this.#known) : [];
      const repeated = open.length > 0;
      await this.#run(target, rerun.causes, repeated ? only(open) : undefined, ended, stop);
      const holds = this.#known !== null && this.#open(this.#known).length === 0;
      if (repeated && holds && !stop.aborted) {
        await this.#run(target, [`${allOf(open.length)} now`], undefined, ended, stop);
      }
    } catch (error) {
      const failure = failureOf(error, target === undefined ? {} : secretsOf(target));
      this.#exitCode = failure.exitCode;
      this.say(failure.message);
    } finally {
      this.#progress?.end();
      this.#progress = null;
    }
  }

  /** Waits while nobody answers: the gateway may be starting. @throws {Unreachable} for good reasons */
  async #gatewayIsThere(target: Target, stop: AbortSignal): Promise<void> {
    for (let said = false; !stop.aborted; said = true) {
      try {
        await askAllRegions(target, stop);
        return;
      } catch (error) {
        if (stop.aborted) return;
        if (!(error instanceof Unreachable && error.mayPass)) throw error;
        this.#exitCode = exitCodes.unreachable;
        if (!said) this.say(`${error.message.split('\n')[0]}\nWaiting for it.`);
        await delay(lookEvery, undefined, { signal: stop }).catch(() => undefined);
      }
    }
  }

  async #run(
    target: Target,
    causes: readonly string[],
    selection: Selection | undefined,
    ended: AbortSignal,
    stop: AbortSignal,
  ): Promise<void> {
    const { terminal, seed, options, files } = this.#is;
    const { print } = options;
    const { colour, quiet } = print;
    const progress = showProgress(terminal.stderr, { environment: terminal.environment, colour });
    this.#progress = progress;
    const recording = recordingFile(files.record, files.html !== undefined);
    // The suites may have changed in a clone, so they are loaded anew.
    const workers = new RunWorkers();
    if (this.#known !== null) this.#head(causes, selection);
    try {
      const latest = await judgeTarget(
        {
          target,
          seed,
          recording,
          ...(selection === undefined ? {} : { only: selection }),
          signal: stop,
          judge: (run) => workers.run(run),
          ...(quiet ? {} : { onProgress: (seen) => progress.update(seen) }),
        },
        options,
      ).finally(() => progress.end());
      // The gateway went away under it.
      if (stop.aborted && !ended.aborted) return;
      const result = this.#excused(latest);
      const before = this.#known;
      if (before === null) {
        printReport(result, terminal, { colour, quiet, github: false });
        this.#known = latest;
      } else {
        const known = updated(before, latest);
        this.#print({
          before: this.#excused(before),
          latest: result,
          now: this.#excused(known),
          moreFollows: selection !== undefined && !ended.aborted && this.#open(known).length === 0,
        });
        // An interrupted run has no new results for the checks that it did not reach.
        if (!latest.interrupted) this.#known = known;
      }
      const { problems } = await writeReports(result, files, async () => ({
        views: await exchangeViews(recording.path ?? '', result),
      }));
      for (const problem of problems) this.say(problem);
      if (recording.problem !== null) this.say(recording.problem);
      const whole = latest.interrupted ? latest : (this.#known ?? latest);
      this.#exitCode = exitCodeOf(this.#excused(whole), options);
    } finally {
      await workers.end();
      recording.release();
    }
  }

  /** The list of known failures changed: nothing has to be sent to judge by it. */
  #judgeAgain({ causes }: Rerun): void {
    const known = this.#known;
    if (known === null) return;
    const now = this.#excused(known);
    this.#is.terminal.stdout.write(this.#rule(`${causes.join(', ')}: nothing is sent`));
    const { verdict } = explain(now);
    const left = this.#open(known).length;
    const what = left === 0 ? '' : `, ${left} open`;
    this.#is.terminal.stdout.write(`${verdict}${what}\n`);
    this.#exitCode = exitCodeOf(now, this.#is.options);
  }

  #excused(result: RunResult): RunResult {
    const { options, files } = this.#is;
    return excused(result, { ...options, ...files });
  }

  #open(known: RunResult): readonly CheckResult[] {
    return openIn(this.#excused(known));
  }

  #head(causes: readonly string[], selection: Selection | undefined): void {
    const count = selection?.ids.length;
    const what = count === undefined ? 'everything' : `what is open (${count})`;
    this.#is.terminal.stdout.write(this.#rule(`${inShort(causes)}: ${what}`));
  }

  #rule(text: string): string {
    const columns = Math.min(Math.max(this.#look().width, 60), 120);
    const time = new Date().toTimeString().slice(0, 8);
    // A long path is not cut: what is done about it stands behind it.
    const line = `── ${time} ${text} `;
    return `\n${line.padEnd(columns, '─').trimEnd()}\n`;
  }

  #print(rerun: ReportedRerun): void {
    this.#is.terminal.stdout.write(renderRerun(rerun, this.#look()));
  }

  #look() {
    return consoleOf(this.#is.terminal, this.#is.options.print);
  }
}

function only(open: readonly CheckResult[]): Selection {
  return {
    ids: open.map(({ id }) => id),
    others: 'Passed, or was not tested, the last time',
    besides: offendersOf(open),
  };
}

function allOf(count: number): string {
  return count === 1 ? 'that one passes' : `all ${count} pass`;
}

function inShort([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
