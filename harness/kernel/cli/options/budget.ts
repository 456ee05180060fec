import { placeOf, protocols } from '../../core/index.ts';
import { addUp, type Plan, type PlannedCheck, paidAgain, plan } from '../../engine/index.ts';
import type { Selection } from '../../recordings/index.ts';
import type { Target } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';
import { provided } from '../feature.ts';
import { affordable } from './affordable.ts';
import { smokeGenerations } from './run-table.ts';

/** Bounds on the cost of a run. Those that no option sets are absent. */
export interface Limits {
  /** Maximum number of generations that any gateway serves. */
  readonly generations?: number | undefined;
  /** True for a few generations of each protocol, and nothing that takes long. */
  readonly smoke?: boolean | undefined;
}

export function isLimited({ generations, smoke = false }: Limits): boolean {
  return generations !== undefined || smoke;
}

/** A part of a run, and its description. */
interface Budget {
  readonly only: Selection;
  readonly plan: Plan;
  /** Description of the part, in a sentence. */
  readonly said: string;
}

/** Part of a run that fits a budget. */
interface Budgeted {
  /** The checks that notice most faults, and all that cost nothing. */
  readonly plan: Plan;
  /** Scenarios that were requested in addition and fit the budget. */
  readonly besides: readonly string[];
  /** Names of scenarios that are left out of all checks. */
  readonly without: readonly string[];
  /** `about 44 % of the planted faults` */
  readonly notices: string;
}

/**
 * Cuts a plan to the checks that notice most planted faults within the limits.
 *
 * @throws {UsageError} if no check is cheap enough
 */
async function budgeted(
  whole: Plan,
  limits: Limits,
  besides: readonly string[] = [],
): Promise<Budgeted> {
  const { faults, by } = (
    await provided('plantedFaults', 'A run within a budget')()
  ).noticedByChecks();
  const { smoke = false } = limits;
  // A kind of generation that was never served is requested again with any length: its cost is unknown in advance.
  const without = smoke ? paidAgain : [];
  const checks = whole.checks
    .map((check) => lacking(check, without))
    .filter((check) => !smoke || isQuick(check));
  const turns = smoke
    ? protocols.map(
        (one) =>
          ({ id }: PlannedCheck) =>
            placeOf(id).subject === one,
      )
    : undefined;
  const [cut] = boundsOf(limits)
    .map((bounds) => affordable(addUp(checks), bounds, by, besides, turns))
    .sort((one, other) => other.noticed - one.noticed || other.checks.length - one.checks.length);
  if (cut === undefined || (cut.checks.length === 0 && whole.checks.length > 0)) {
    throw new UsageError(
      tooLittle(
        checks.map((check) => addUp([check])),
        limits,
      ),
    );
  }
  const share = Math.round((100 * cut.noticed) / faults);
  const { generations = Number.POSITIVE_INFINITY } = limits;
  const planned = addUp(cut.checks);
  return {
    plan: { ...planned, generations: Math.min(planned.generations, generations) },
    besides: cut.besides,
    without,
    notices: `about ${share} % of the planted faults`,
  };
}

/**
 * Returns bounds, each of which keeps to the limits. A run of what a right gateway serves asks for what has to be
 * refused besides, and stops at the limit where that is served: see `Purse`.
 */
function boundsOf({
  generations,
  smoke = false,
}: Limits): readonly Parameters<typeof affordable>[1][] {
  const most = smoke ? smokeGenerations : Number.POSITIVE_INFINITY;
  if (generations === undefined) return [{ of: 'expectedGenerations', most }];
  const expected = Math.floor((generations * (keptOneOf - 1)) / keptOneOf);
  return [
    { of: 'generations', most: Math.min(generations, most) },
    ...(generations === 0
      ? []
      : [{ of: 'expectedGenerations' as const, most: Math.min(expected, most) }]),
  ];
}

/** One of so many generations is kept, so that what has to be refused can be asked for after the others. */
const keptOneOf = 16;

/** Returns the limit within which a plan fits. */
function neededFor({ generations, expectedGenerations }: Plan): number {
  const besides = Math.ceil((expectedGenerations * keptOneOf) / (keptOneOf - 1));
  return Math.min(generations, Math.max(1, besides));
}

function lacking(check: PlannedCheck, names: readonly string[]): PlannedCheck {
  return { ...check, scenarios: check.scenarios.filter(({ name }) => !names.includes(name)) };
}

/** True without hostile requests and scenarios whose generations all have to be refused. */
function isQuick({ scenarios }: PlannedCheck): boolean {
  return scenarios.every(
    ({ hostile, generations, expectedGenerations }) =>
      hostile !== true && (generations === 0 || expectedGenerations > 0),
  );
}

function tooLittle(plans: readonly Plan[], limits: Limits): string {
  const least = Math.min(...plans.map(neededFor));
  const needs = `${least} generation${least === 1 ? '' : 's'}`;
  return (
    `${inOptions(limits)}: none of the ${plans.length} selected checks costs so little; the ` +
    `cheapest needs ${needs}. Give ${least} or more, or name other ids.`
  );
}

/** Returns `--smoke --generations 25`. */
function inOptions({ generations, smoke = false }: Limits): string {
  return [
    ...(smoke ? ['--smoke'] : []),
    ...(generations === undefined ? [] : [`--generations ${generations}`]),
  ].join(' ');
}

/** Plans a run of all checks for each number of generations, and then for all of them. */
export async function budgetsAt(
  target: Target,
  budgets: readonly number[],
): Promise<readonly Budgeted[]> {
  const whole = await plan(target);
  return Promise.all(
    [...budgets, whole.generations].map((generations) => budgeted(whole, { generations })),
  );
}

/**
 * Selects the checks of a run that fit a budget.
 *
 * @param within selection to take them from, if it is less than the filters select
 * @throws {UsageError} if no check is cheap enough
 */
export async function budgetOf(
  target: Target,
  filters: readonly string[],
  limits: Limits,
  within?: Selection,
): Promise<Budget> {
  const planned = await plan(target, filters);
  const wanted = new Set(within?.ids ?? planned.checks.map(({ id }) => id));
  // Checks that send nothing themselves.
  const along = within?.along ?? [];
  const whole = planned.checks.filter(({ id }) => wanted.has(id) && !along.includes(id));
  const cut = await budgeted(addUp(whole), limits, within?.besides);
  const { notices, besides, without } = cut;
  const left = `out by ${inOptions(limits)}: what is run notices ${notices}`;
  const ids = [...cut.plan.checks.map(({ id }) => id), ...along];
  return {
    plan: cut.plan,
    only: {
      ...within,
      ids,
      others: within === undefined ? `Left ${left}` : `${within.others}, or left ${left}`,
      besides,
      ...(without.length === 0 ? {} : { without }),
    },
    said: `${ids.length} of ${wanted.size} checks, for ${costInWords(cut.plan, limits)}: they notice ${notices}.`,
  };
}

function costInWords(plan: Plan, { generations, smoke = false }: Limits): string {
  const cost = smoke
    ? `${plan.expectedGenerations} generations at a right gateway, ${plan.generations} at any`
    : `${generations} generations`;
  return `${cost} at most`;
}
