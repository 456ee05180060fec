import type { CheckResult, RunResult } from '../../core/index.ts';
import { seedOf } from '../../engine/index.ts';
import { Rounds } from '../../report/index.ts';

interface Repeating {
  /** Judges one round, from 1. */
  judge(seed: number, number: number): Promise<RunResult>;
  /** Called with the result of a round, and the checks that have their verdict from it now. */
  onJudged(round: RunResult, taken: readonly CheckResult[]): Promise<void>;
  /** True if no further round may begin. */
  isOver(): boolean;
}

/**
 * Judges several rounds sequentially: each sends everything anew, with ids, words and prompts that follow
 * from a seed of its own. The results are added up, and no round is kept.
 */
export async function judgeRounds(
  times: number,
  seed: number,
  { judge, onJudged, isOver }: Repeating,
): Promise<RunResult> {
  const rounds = new Rounds(times);
  let all: RunResult | null = null;
  for (let number = 1; number <= times; number++) {
    const round = await judge(roundSeed(seed, number), number);
    await onJudged(round, rounds.add(round));
    all = rounds.result;
    if (isOver() || decidedNothing(round)) break;
  }
  if (all === null) throw new Error('A run was to be judged in no round.');
  return all;
}

/** The first round is that of a run with this seed. */
function roundSeed(seed: number, number: number): number {
  return number === 1 ? seed : seedOf(seed, 'round', String(number)) >>> 1;
}

/** A gateway that shows nothing any more is not asked again and again. */
function decidedNothing({ counts }: RunResult): boolean {
  return counts.pass + counts.fail + counts.warn + counts.note === 0;
}
