import { liveRun } from '../many.ts';
import { sound, startSubject } from '../subject.ts';
import { tryMutations } from './try-mutations.ts';
import { tryTransients } from './try-transients.ts';

interface SoundOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Checks to judge by; default: all. */
  readonly selected?: readonly string[];
}

export type TransientVerdicts = Awaited<ReturnType<typeof tryTransients>>;
export type MutationVerdicts = Awaited<ReturnType<typeof tryMutations>>;

type LiveRuns = Awaited<ReturnType<typeof liveRun>>;

/** Judges the answers of the sound reference gateway, which are changed. */
async function onSound<Tried>(
  { selected = undefined, ...options }: SoundOptions,
  judge: (live: LiveRuns) => Promise<Tried>,
): Promise<Tried> {
  const { target, close } = await startSubject(sound);
  try {
    const live = await liveRun({ target, selected: selected ?? null }, options);
    return await judge(live).finally(live.end);
  } finally {
    await close();
  }
}

export function judgeTransients(options: SoundOptions): Promise<TransientVerdicts> {
  return onSound(options, ({ run, checks }) => tryTransients(run, checks));
}

/** True if there were verdicts, and no false positives. */
export function blamesNobody({ verdicts, blamed }: TransientVerdicts): boolean {
  return verdicts > 0 && blamed.length === 0;
}

/**
 * Judges with random changes, which must not cause an internal error.
 *
 * @param rounds number of rounds, each of which judges all answers with other changes
 */
export function judgeMutations(rounds: number, options: SoundOptions): Promise<MutationVerdicts> {
  return onSound(options, ({ run, checks }) => tryMutations(run, checks, rounds));
}

/** True if some answers were changed and judged, without an internal error. */
export function breaksNothing({ mutated, verdicts, broken }: MutationVerdicts): boolean {
  return mutated > 0 && verdicts > 0 && broken.length === 0;
}
