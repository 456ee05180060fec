import { covers, type RunVerdict, redStates, runVerdict } from '../kernel/core/index.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { type JudgedCheck, judgedChecks, undecidedMusts } from './judged-checks.ts';
import type { Subject } from './subject.ts';
import { type Variant, variants } from './variants/index.ts';

/** Result of judging one legal variant. */
export interface Toleration {
  readonly variant: Variant;
  readonly verdict: RunVerdict;
  /** Checks that fail or warn: for a MUST always a false positive, for a SHOULD unless the variant declares it. */
  readonly blamed: readonly JudgedCheck[];
  /** MUSTs that could not be decided. */
  readonly undecided: readonly JudgedCheck[];
}

/** Judges the reference gateway with each of these legal differences: all runs must stay conformant. */
export async function judgeVariants(
  chosen: readonly Variant[],
  options: JudgeOptions,
): Promise<readonly Toleration[]> {
  const subjects = chosen.map(
    ({ id }): Subject => ({ id, gateway: { kind: 'variant', id }, selected: null }),
  );
  const judged = await judgeTargets(subjects, options);
  return chosen.flatMap((variant) => {
    const verdicts = judged.get(variant.id);
    if (verdicts === undefined || verdicts.size === 0) return [];
    const checks = judgedChecks(verdicts);
    const blamed = checks.filter(({ check, verdict: { state } }) => {
      const isDeclared = state === 'warn' && covers(variant.warns ?? [], check);
      return redStates.has(state) && !isDeclared;
    });
    const undecided = undecidedMusts(checks);
    return [{ variant, verdict: runVerdict(checks), blamed, undecided }];
  });
}

/** All legal differences. */
export const allVariants: readonly Variant[] = variants;
