import type { TriedTransients } from '../kernel/engine/index.ts';
import { judgeWithTransients } from './many.ts';
import { sound, startSubject } from './subject.ts';

interface TransientOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Checks to judge by; default: all. */
  readonly selected?: readonly string[];
}

/** Judges the sound reference gateway with every transient failure that one of its responses can have. */
export async function judgeTransients({
  seed,
  signal,
  selected,
}: TransientOptions): Promise<TriedTransients> {
  const { target, close } = await startSubject(sound);
  try {
    return await judgeWithTransients(target, selected ?? null, {
      seed,
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await close();
  }
}

/** True if there were verdicts, and no false positives. */
export function blamesNobody({ verdicts, blamed }: TriedTransients): boolean {
  return verdicts > 0 && blamed.length === 0;
}
