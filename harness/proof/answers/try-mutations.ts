import type { Exchange } from '../../kernel/core/index.ts';
import { seedOf } from '../../kernel/drawn/index.ts';
import {
  type Check,
  exchangesOf,
  ReplayRun,
  type TargetRun,
  verdictsOf,
} from '../../kernel/engine/index.ts';
import { type Draw, mutated } from './mutation.ts';

/** A check that ended in an internal error because of an answer. */
interface Broken {
  /** Number of the round, by which it can be reproduced. */
  readonly round: number;
  readonly check: string;
  readonly reason: string;
}

interface TriedMutations {
  readonly rounds: number;
  readonly mutated: number;
  readonly verdicts: number;
  readonly broken: readonly Broken[];
}

/** One in so many answers is changed. If all were, scenarios would end at the first request. */
const oneIn = [3, 10, 40] as const;

/**
 * Captures all exchanges once, and judges them repeatedly with random changes of the answers, without sending
 * anything. Any verdict is acceptable except an internal error.
 */
export async function tryMutations(
  run: TargetRun,
  checks: readonly Check[],
  rounds: number,
): Promise<TriedMutations> {
  await verdictsOf(run, checks);
  const exchanges: Exchange[] = [];
  for (const outcome of run.outcomes.values()) exchanges.push(...exchangesOf(await outcome));
  const broken: Broken[] = [];
  let verdicts = 0;
  let changes = 0;
  for (let round = 0; round < rounds; round++) {
    const draw = drawing(seedOf(run.seed, 'mutation', String(round)));
    const share = oneIn[round % oneIn.length] ?? 10;
    const answers = exchanges.map((one) => {
      if (draw(share) > 0) return one;
      changes++;
      return mutated(one, draw);
    });
    const after = await verdictsOf(ReplayRun.forgiving(run, answers), checks);
    verdicts += after.size;
    for (const [check, verdict] of after) {
      if (verdict.state === 'error') broken.push({ round, check, reason: verdict.reason });
    }
  }
  return { rounds, mutated: changes, verdicts, broken };
}

/** Returns a generator of numbers that depend on the seed alone. */
function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
