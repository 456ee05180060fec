import type { Plan, PlannedCheck, PlannedScenario } from '../../engine/index.ts';

/** Faults under which a check fails, by check id. */
export type NoticedBy = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum of the generations of any gateway, or of those that a right gateway serves. */
interface Bound {
  readonly of: 'generations' | 'expectedGenerations';
  readonly most: number;
}

/** Part of a plan that stays within a bound of generations. */
interface Affordable {
  readonly checks: readonly PlannedCheck[];
  /** Names of the additional scenarios that fit. */
  readonly besides: readonly string[];
  /** Maximum, at any gateway. */
  readonly generations: number;
  /** Number of faults that at least one of these checks notices. */
  readonly noticed: number;
}

/** Checks with the same paid scenarios. */
interface Bundle {
  readonly name: string;
  readonly checks: PlannedCheck[];
  readonly paid: readonly PlannedScenario[];
  readonly faults: Set<string>;
}

/**
 * Selects the checks of a plan that notice most faults within a bound of generations. Greedy: each
 * step adds the scenarios that notice most further faults for each further generation. A scenario is paid once,
 * however many checks need it, so all checks that cost nothing more are added as well. The remaining budget goes to
 * scenarios that add most checks.
 *
 * Deterministic: a plan is cut alike on every machine.
 *
 * @param besides names of scenarios to run in any case, as long as they fit. One that no check of the plan has is left
 *   out: nothing says what it costs
 * @param turns groups of checks that take turns, as long as there is room; default: one group of all
 */
export function affordable(
  plan: Plan,
  { of, most }: Bound,
  noticedBy: NoticedBy,
  besides: readonly string[] = [],
  turns: readonly ((check: PlannedCheck) => boolean)[] = [() => true],
): Affordable {
  const paid = new Map<string, PlannedScenario>();
  const noticed = new Set<string>();
  const isPaid = ({ name }: PlannedScenario): boolean => paid.has(name);
  const lacking = ({ paid: scenarios }: Pick<Bundle, 'paid'>): number =>
    sumOf(
      scenarios.filter((one) => !isPaid(one)),
      of,
    );
  const fits = (bundle: Pick<Bundle, 'paid'>): boolean =>
    sumOf([...paid.values()], of) + lacking(bundle) <= most;
  const pay = ({ paid: scenarios }: Pick<Bundle, 'paid'>): void => {
    for (const one of scenarios) paid.set(one.name, one);
  };

  let left = bundlesOf(plan, noticedBy);
  const taken: PlannedCheck[] = [];
  const takeWhatIsFree = (): void => {
    for (const bundle of left.filter((one) => lacking(one) === 0)) {
      taken.push(...bundle.checks);
      for (const fault of bundle.faults) noticed.add(fault);
    }
    left = left.filter((one) => lacking(one) > 0);
  };

  const first = besides.filter((name) => {
    const paid = paidFor(name, plan);
    if (paid === null) return false;
    const bundle = { paid };
    if (!fits(bundle)) return false;
    pay(bundle);
    return true;
  });
  takeWhatIsFree();
  for (let unanswered = 0, next = 0; unanswered < turns.length; next++) {
    const hasTurn = turns[next % turns.length] ?? (() => true);
    const best = left
      .filter((bundle) => bundle.checks.some(hasTurn) && fits(bundle))
      .map((bundle) => worthOf(bundle, left, lacking(bundle), noticed, paid))
      .sort(byWorth)[0];
    unanswered = best === undefined ? unanswered + 1 : 0;
    if (best === undefined) continue;
    pay(best.bundle);
    takeWhatIsFree();
  }
  const ids = new Set(taken.map(({ id }) => id));
  return {
    checks: plan.checks.filter(({ id }) => ids.has(id)),
    besides: first,
    generations: sumOf([...paid.values()], 'generations'),
    noticed: noticed.size,
  };
}

function sumOf(scenarios: readonly PlannedScenario[], of: Bound['of']): number {
  return scenarios.reduce((sum, one) => sum + one[of], 0);
}

interface Worth {
  readonly bundle: Bundle;
  /** Further faults, and further checks, for each generation. */
  readonly faults: number;
  readonly checks: number;
}

/** Rates a bundle by the faults and checks that it makes free, including those of other bundles. */
function worthOf(
  bundle: Bundle,
  left: readonly Bundle[],
  cost: number,
  noticed: ReadonlySet<string>,
  paid: ReadonlyMap<string, PlannedScenario>,
): Worth {
  const own = new Set(bundle.paid.map(({ name }) => name));
  const free = left.filter((one) => one.paid.every(({ name }) => own.has(name) || paid.has(name)));
  const faults = new Set(free.flatMap((one) => [...one.faults].filter((id) => !noticed.has(id))));
  const checks = free.reduce((sum, one) => sum + one.checks.length, 0);
  return { bundle, faults: faults.size / cost, checks: checks / cost };
}

function byWorth(one: Worth, other: Worth): number {
  return (
    other.faults - one.faults ||
    other.checks - one.checks ||
    (one.bundle.name < other.bundle.name ? -1 : 1)
  );
}

/**
 * Groups checks by the scenarios that they pay for. A check without generations, or that cannot be judged here,
 * costs nothing.
 */
function bundlesOf({ checks }: Plan, noticedBy: NoticedBy): Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const check of checks) {
    const runs = check.scenarios.every(({ obstacle }) => obstacle === null);
    const paid = runs ? check.scenarios.filter(({ generations }) => generations > 0) : [];
    const name = paid
      .map((one) => one.name)
      .toSorted()
      .join(' ');
    const bundle = bundles.get(name) ?? { name, checks: [], paid, faults: new Set() };
    bundles.set(name, bundle);
    bundle.checks.push(check);
    if (!runs) continue;
    for (const fault of noticedBy.get(check.id) ?? []) bundle.faults.add(fault);
  }
  return [...bundles.values()];
}

/** Returns the paid scenarios of the cheapest check that needs a scenario: it and its prerequisites. */
function paidFor(name: string, { checks }: Plan): readonly PlannedScenario[] | null {
  const [least] = checks
    .map(({ scenarios }) => scenarios)
    .filter((scenarios) => scenarios.some((one) => one.name === name))
    .toSorted((a, b) => a.length - b.length);
  return least?.filter(({ generations }) => generations > 0) ?? null;
}
