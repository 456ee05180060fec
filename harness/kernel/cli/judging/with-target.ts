import type { Provenance } from '../../core/index.ts';
import { askAllRegions } from '../../probing/index.ts';
import { secretsOf } from '../../protocols/index.ts';
import type { Target } from '../../targets/index.ts';
import {
  failureOf,
  interruptible,
  type ProgressDisplay,
  showProgress,
  stopped,
  type Terminal,
} from '../../terminal/index.ts';
import type { Unseen } from '../feature.ts';
import { chooseTarget, isForeign, type TargetOptions } from '../options/choose-target.ts';
import { notesOn } from './target-notes.ts';

/** A target that is ready to be judged. */
export interface Ready {
  readonly target: Target;
  readonly progress: ProgressDisplay;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/**
 * Finds or starts the target that a command line names, calls a function with it, and stops what was started.
 * Errors of the function are printed, without any key of the target.
 *
 * @param unseen treatment of features that no free request shows, for a gateway without a target file
 * @returns the exit code
 * @throws {UsageError | TargetError} if the command line describes no target
 */
export async function withTarget(
  options: TargetOptions,
  colour: boolean,
  terminal: Terminal,
  use: (ready: Ready) => Promise<number>,
  unseen: Unseen = 'tried',
): Promise<number> {
  const progress = showProgress(terminal.stderr, { environment: terminal.environment, colour });
  const { signal, release } = interruptible(terminal, (line) => progress.say(line));
  try {
    const { target, close } = await chooseTarget(options, terminal, signal, unseen);
    for (const note of notesOn(target)) progress.say(note);
    try {
      return await use({ target, progress, signal });
    } catch (error) {
      // The keys that an unexpected error might contain are known only here.
      const failure = failureOf(error, secretsOf({ ...target, keys: { ...target.keys } }));
      terminal.stderr.write(`${failure.message}\n`);
      return failure.exitCode;
    } finally {
      await close();
    }
  } catch (error) {
    // Starting the target was interrupted.
    if (!signal.aborted) throw error;
    return stopped(terminal);
  } finally {
    release();
  }
}

/**
 * Sends a request to each region of another party's gateway to find out whether it is reachable.
 *
 * @returns the peers; undefined if nothing was sent
 * @throws {Unreachable}
 */
export async function assertThere(
  { target, signal }: Ready,
  options: TargetOptions,
): Promise<Provenance | undefined> {
  if (!isForeign(options)) return undefined;
  return askAllRegions(target, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}
