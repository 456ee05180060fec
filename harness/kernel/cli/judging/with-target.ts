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

/** A target that stands ready to be judged. */
export interface Ready {
  readonly target: Target;
  readonly progress: ProgressDisplay;
  /** Aborted when the user breaks the command off. */
  readonly signal: AbortSignal;
}

/**
 * Finds or starts the target that a command line names, does something with it, and ends what was
 * started. Gives the exit code, also of what goes wrong meanwhile; no key of the target shows in it.
 *
 * @param unseen what to do about what no free request shows of a gateway without a target file
 * @throws {UsageError | TargetError} when the command line describes no target
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
 * Asks another party's gateway once to find out whether it is there.
 *
 * @returns with whom that was; undefined where nobody was asked
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
