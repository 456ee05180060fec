import { runMishaps, type TriedMishaps } from '../check/run-many.ts';
import { sound, startSubject } from './subject.ts';

export interface SufferOptions {
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** Judges the sound reference gateway with every mishap that can befall one of its answers. */
export async function suffer({ seed, signal }: SufferOptions): Promise<TriedMishaps> {
  const { target, close } = await startSubject(sound);
  try {
    return await runMishaps(target, null, { seed, ...(signal === undefined ? {} : { signal }) });
  } finally {
    await close();
  }
}

/** Something was judged, and nobody blamed. */
export function blamesNobody({ verdicts, blamed }: TriedMishaps): boolean {
  return verdicts > 0 && blamed.length === 0;
}
