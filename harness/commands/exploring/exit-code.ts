import { exitCodes } from '../../core/verdict.ts';
import type { Explored } from '../../explore/finds.ts';

/** @param whole it came to its end, and all of it was judged */
export function exitCodeOfExplored({ finds, acts, unknown }: Explored, whole: boolean): number {
  if (finds.some(({ violation }) => violation.level === 'MUST')) return exitCodes.nonconformant;
  return whole && acts > unknown ? exitCodes.conformant : exitCodes.undecided;
}
