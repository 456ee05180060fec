import { placeOf, protocols } from '../../core/index.ts';
import {
  addUp,
  affordable,
  type Plan,
  type PlannedCheck,
  paidAgain,
  plan,
  type Selection,
} from '../../engine/index.ts';
import type { Target } from '../../targets/index.ts';
import { UsageError } from '../../terminal/index.ts';
import { provided } from '../feature.ts';
import { smokeGenerations } from './run-table.ts';

/** Bounds on the cost of a run. Those that no option sets are absent. */
export interface Limits {
  /** Maximum number of generations at any gateway. */
  readonly generations?: number | undefined;
  /** Maximum output tokens of its generations, at a gateway that enforces their limits. */
  readonly tokens?: number | undefined;
  /** True for a few generations of each protocol, and nothing that takes long. */
  readonly smoke?: boolean | undefined;
}

export function isLimited({ generations, tokens, smoke = false }: Limits): boolean {
  return generations !== undefined || tokens !== undefined || smoke;
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
  const { tokens, smoke = false } = limits;
  // A kind of generation that was never served is requested again with any length: its cost is unknown in advance.
  const without = tokens !== undefined || smoke ? paidAgain : [];
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
  const cut = affordable(addUp(checks), boundsOf(limits), by, besides, turns);
  if (cut.checks.length === 0 && whole.checks.length > 0) {
    throw new UsageError(
      tooLittle(
        checks.map((check) => addUp([check])),
        limits,
      ),
    );
  }
  const share = Math.round((100 * cut.noticed) / faults);
  return {
    plan: addUp(cut.checks),
    besides: cut.besides,
    without,
    notices: `about ${share} % of the planted faults`,
  };
}

function boundsOf({ generations, tokens, smoke = false }: Limits) {
  return {
    generations,
    outputTokens: tokens,
    expectedGenerations: smoke ? smokeGenerations : undefined,
  };
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
  const { generations, tokens } = limits;
  if (generations === undefined || tokens !== undefined) {
    return `${inOptions(limits)}: none of the selected checks costs so little. Give more, or name other ids.`;
  }
  const least = Math.min(...plans.map((plan) => plan.generations));
  const needs = `${least} generation${least === 1 ? '' : 's'}`;
  return (
    `${inOptions(limits)}: none of the ${plans.length} selected checks costs so little; the ` +
    `cheapest needs ${needs}. Give ${least} or more, or name other ids.`
  );
}

/** Returns `--generations 25 --tokens 5000`. */
function inOptions({ generations, tokens, smoke = false }: Limits): string {
  return [
    ...(smoke ? ['--smoke'] : []),
    ...(generations === undefined ? [] : [`--generations ${generations}`]),
    ...(tokens === undefined ? [] : [`--tokens ${tokens}`]),
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

function costInWords(plan: Plan, { generations, tokens, smoke = false }: Limits): string {
  return [
    ...(smoke
      ? [`${plan.expectedGenerations} generations at a right gateway, ${plan.generations} at any`]
      : []),
    ...(generations === undefined ? [] : [`${generations} generations`]),
    ...(tokens === undefined ? [] : [`${plan.outputTokens} output tokens`]),
  ]
    .join(' and ')
    .concat(' at most');
}
