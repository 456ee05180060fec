import { covers, type RunVerdict, redStates, runVerdict } from '../kernel/core/index.ts';
import { type JudgeOptions, judgeTargets, quiet } from './judge-targets.ts';
import { type JudgedCheck, judgedChecks, undecidedMusts } from './judged-checks.ts';
import type { Subject } from './subject.ts';
import { groupsOf } from './variants/groups.ts';
import { type Variant, variants } from './variants/index.ts';

export interface Toleration {
  readonly variant: Variant;
  readonly verdict: RunVerdict;
  /** Checks that fail or warn: for a MUST always a false positive, for a SHOULD unless the variant declares it. */
  readonly blamed: readonly JudgedCheck[];
  /** MUSTs that could not be decided. */
  readonly undecided: readonly JudgedCheck[];
}

interface VariantOptions extends JudgeOptions {
  /** True to judge each variant alone. Default: together with others, and alone if the group is blamed. */
  readonly isAlone?: boolean;
}

/**
 * Judges the reference gateway with these legal differences: all runs must stay conformant. A gateway with several
 * legal differences is legal, too, so that one run judges a group of them. What is not conformant then is judged
 * alone, and once more with nothing beside it: a right gateway may time out on a busy machine.
 */
export async function judgeVariants(
  chosen: readonly Variant[],
  { isAlone = false, ...options }: VariantOptions,
): Promise<readonly Toleration[]> {
  const byId = new Map<string, Toleration>();
  const judge = async (groups: readonly (readonly Variant[])[], pace: JudgeOptions) => {
    for (const group of await judgeGroups(groups, pace)) {
      const isOne = group.length === 1;
      if (isOne || group.every(toleratedWell))
        for (const one of group) byId.set(one.variant.id, one);
    }
  };
  const suspects = () => {
    const open = chosen.filter(({ id }) => !toleratedWell(byId.get(id)));
    return open.map((variant) => [variant]);
  };
  if (!isAlone) await judge(groupsOf(chosen, options.seed), options);
  await judge(suspects(), options);
  await judge(suspects(), { ...options, ...quiet });
  return chosen.flatMap(({ id }) => byId.get(id) ?? []);
}

/** True if the run on a legal difference is conformant, without false positives. */
export function toleratedWell(one: Toleration | undefined): boolean {
  return one?.verdict === 'conformant' && one.blamed.length === 0;
}

const idOf = (group: readonly Variant[]): string => group.map(({ id }) => id).join('+');

async function judgeGroups(
  groups: readonly (readonly Variant[])[],
  options: JudgeOptions,
): Promise<readonly (readonly Toleration[])[]> {
  const subjects = groups.map((group): Subject => {
    const id = idOf(group);
    return { id, gateway: { kind: 'variant', id }, selected: null };
  });
  const judged = await judgeTargets(subjects, { ...options, batch: options.batch ?? 6 });
  return groups.flatMap((group) => {
    const verdicts = judged.get(idOf(group));
    if (verdicts === undefined || verdicts.size === 0) return [];
    const checks = judgedChecks(verdicts);
    const warns = group.flatMap((variant) => variant.warns ?? []);
    const blamed = checks.filter(
      ({ check, verdict: { state } }) =>
        redStates.has(state) && !(state === 'warn' && covers(warns, check)),
    );
    const undecided = undecidedMusts(checks);
    const verdict = runVerdict(checks);
    return [group.map((variant) => ({ variant, verdict, blamed, undecided }))];
  });
}

export const allVariants: readonly Variant[] = variants;
