import type { TriedMutations } from '../kernel/engine/index.ts';
import { judgeWithMutations } from './many.ts';
import { sound, startSubject } from './subject.ts';

interface MutationOptions {
  readonly seed: number;
  /** Number of rounds, each of which judges all answers with other random changes. */
  readonly rounds: number;
  readonly signal?: AbortSignal;
  /** Checks to judge by; default: all. */
  readonly selected?: readonly string[];
}

/**
 * Judges the answers of the sound reference gateway with random changes, which must not cause an internal error.
 */
export async function judgeMutations({
  seed,
  rounds,
  signal,
  selected,
}: MutationOptions): Promise<TriedMutations> {
  const { target, close } = await startSubject(sound);
  try {
    return await judgeWithMutations(target, selected ?? null, rounds, {
      seed,
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await close();
  }
}

/** True if some answers were changed and judged, without an internal error. */
export function breaksNothing({ mutated, verdicts, broken }: TriedMutations): boolean {
  return mutated > 0 && verdicts > 0 && broken.length === 0;
}
