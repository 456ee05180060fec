import type { Exchange } from '../../core/index.ts';
import { exchangesOf } from '../outcome.ts';
import type { Check } from '../registry.ts';
import { seedOf } from '../seed.ts';
import type { TargetRun } from '../session.ts';
import { verdictsOf } from '../verdicts.ts';
import { type Draw, mutated } from './mutation.ts';
import { forgivingReplay } from './try-transients.ts';

/** A check that ended in an error of ours by what a gateway answered. */
interface Broken {
  /** Number of the round, by which it can be reproduced. */
  readonly round: number;
  readonly check: string;
  readonly reason: string;
}

/** Verdicts on mutated answers. */
export interface TriedMutations {
  readonly rounds: number;
  /** Answers that were changed. */
  readonly mutated: number;
  readonly verdicts: number;
  readonly broken: readonly Broken[];
}

/** Fraction of the answers that are changed. If all were, no scenario would get beyond its first request. */
const oneIn = [3, 10, 40] as const;

/**
 * Asks a gateway everything once, and judges what it answered again and again, with answers changed by chance.
 * Nothing is sent for that. Any verdict is right but one: no judgement may break.
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
    const after = await verdictsOf(forgivingReplay(run, answers), checks);
    verdicts += after.size;
    for (const [check, verdict] of after) {
      if (verdict.state === 'error') broken.push({ round, check, reason: verdict.reason });
    }
  }
  return { rounds, mutated: changes, verdicts, broken };
}

/** Numbers that the seed decides alone. */
function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
