import type { Plan } from '../../engine/plan.ts';
import type { Selection } from '../../engine/selection.ts';
import type { Target } from '../../target/target.ts';
import { UsageError } from '../../terminal/failure.ts';

/** A part of a run, and what to tell of it. */
export interface Budget {
  readonly only: Selection;
  /** What it is, in a sentence. */
  readonly said: string;
}

/** What a run does for so many generations. */
export interface Budgeted {
  /** The checks that notice most, and all that costs nothing. */
  readonly plan: Plan;
  /** Of the scenarios that were asked for besides, those that it has room for. */
  readonly besides: readonly string[];
  /** `about 44 % of the planted faults` */
  readonly notices: string;
}

/**
 * Cuts a plan to what notices most of the planted faults for so many generations.
 *
 * @throws {UsageError} when nothing costs so little
 */
export async function budgeted(
  whole: Plan,
  most: number,
  besides: readonly string[] = [],
): Promise<Budgeted> {
  const { addUp } = await import('../../engine/plan.ts');
  const { affordable } = await import('../../engine/schedule/budget.ts');
  const { noticedByChecks } = await import('../../proof/noticed-by.ts');
  const { faults, by } = noticedByChecks();
  const cut = affordable(whole, most, by, besides);
  if (cut.checks.length === 0 && whole.checks.length > 0) {
    const least = Math.min(...whole.checks.map((check) => addUp([check]).generations));
    const needs = `${least} generation${least === 1 ? '' : 's'}`;
    throw new UsageError(
      `--generations ${most}: none of the ${whole.checks.length} selected checks costs so little; the ` +
        `cheapest needs ${needs}. Give ${least} or more, or name other ids.`,
    );
  }
  const share = Math.round((100 * cut.noticed) / faults);
  return {
    plan: addUp(cut.checks),
    besides: cut.besides,
    notices: `about ${share} % of the planted faults`,
  };
}

/** What a run of all checks does at a target for so many generations each, and then for all. */
export async function budgetsAt(
  target: Target,
  budgets: readonly number[],
): Promise<readonly Budgeted[]> {
  const { plan } = await import('../../engine/run.ts');
  const whole = await plan(target);
  return Promise.all([...budgets, whole.generations].map((most) => budgeted(whole, most)));
}

/**
 * The checks of a run that may cost so many generations.
 *
 * @param within what to take them from, when that is less than the filters select
 * @throws {UsageError} when nothing costs so little
 */
export async function budgetOf(
  target: Target,
  filters: readonly string[],
  most: number,
  within?: Selection,
): Promise<Budget> {
  const { plan } = await import('../../engine/run.ts');
  const { addUp } = await import('../../engine/plan.ts');
  const planned = await plan(target, filters);
  const wanted = new Set(within?.ids ?? planned.checks.map(({ id }) => id));
  // They send nothing themselves.
  const along = within?.along ?? [];
  const whole = planned.checks.filter(({ id }) => wanted.has(id) && !along.includes(id));
  const { plan: cut, besides, notices } = await budgeted(addUp(whole), most, within?.besides);
  const left = `eft out by --generations ${most}: what is run notices ${notices}`;
  const ids = [...cut.checks.map(({ id }) => id), ...along];
  return {
    only: {
      ...within,
      ids,
      others: within === undefined ? `L${left}` : `${within.others}, or l${left}`,
      besides,
    },
    said: `${ids.length} of ${wanted.size} checks, for ${most} generations at most: they notice ${notices}.`,
  };
}
