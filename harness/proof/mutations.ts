import type { TriedMutations } from '../kernel/engine/index.ts';
import { judgeWithMutations } from './many.ts';
import { sound, startSubject } from './subject.ts';

interface MutationOptions {
  readonly seed: number;
  /** Number of times that all answers are judged, each time with other random changes. */
  readonly rounds: number;
  readonly signal?: AbortSignal;
  /** Only by these checks. */
  readonly selected?: readonly string[];
}

/** Judges what the sound reference gateway answers, with answers changed by chance: no judgement may break. */
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

/** Something was changed and judged, and no judgement broke. */
export function breaksNothing({ mutated, verdicts, broken }: TriedMutations): boolean {
  return mutated > 0 && verdicts > 0 && broken.length === 0;
}
