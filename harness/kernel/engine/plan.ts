import { type CheckDefinition, loadCatalogue, sideOf } from '../core/index.ts';
import type { Target } from '../targets/index.ts';
import { paceSteps, retryBounds } from './again/index.ts';
import { underClaims } from './claims.ts';
import { rolesOf } from './home.ts';
import { decisive, type Obstacle } from './needs.ts';
import { perTarget } from './per-target.ts';
import { type Check, scenariosAt } from './registry.ts';
import { mostGenerations, type Scenario } from './scenario.ts';
import { checksWith, selectedIds } from './selection.ts';

export interface PlannedScenario {
  readonly name: string;
  /** Maximum, at any gateway. */
  readonly requests: number;
  /** At a gateway that answers at once. */
  readonly expectedRequests: number;
  /** Maximum, at any gateway. */
  readonly generations: number;
  /** At a gateway that refuses what it has to refuse, and shows changes at once. */
  readonly expectedGenerations: number;
  /** Maximum number of further free requests that wait for changes of stored responses. */
  readonly waitingRequests: number;
  /** Maximum output tokens of its generations together; null: at least one has no limit. */
  readonly outputTokens: number | null;
  /** Requests that wait for one another, including those of its prerequisites. */
  readonly chain: number;
  /** A gateway may defend itself against its requests. */
  readonly hostile?: true;
  /** True if it investigates the exchanges of others, and belongs to every part of a run. */
  readonly last?: true;
  /** Reason why nothing would be sent: the target does not offer, or does not declare, it. */
  readonly obstacle: Obstacle | null;
}

/** A check and the scenarios that it needs: those that it is judged on come first. */
export interface PlannedCheck {
  readonly id: string;
  readonly level: CheckDefinition['level'];
  readonly judgedOn: readonly string[];
  readonly scenarios: readonly PlannedScenario[];
  /** True if the check is judged on all exchanges of a run. */
  readonly everywhere?: true;
}

/** Maximum cost of a run. */
export interface Plan {
  readonly checks: readonly PlannedCheck[];
  readonly requests: number;
  /** At a gateway that answers at once. */
  readonly expectedRequests: number;
  /** Maximum number of further free requests, if stored or deleted responses show late. */
  readonly waitingRequests: number;
  /** Maximum, at any gateway: one that refuses nothing charges for what it should refuse. */
  readonly generations: number;
  /** At a gateway that refuses what it has to refuse, and shows changes at once. */
  readonly expectedGenerations: number;
  /** Output tokens of the generations with a limit, added up. */
  readonly outputTokens: number;
  /** Number of generations without an output limit. */
  readonly unlimitedGenerations: number;
  readonly longestChain: number;
  /** Number of requests that a gateway may defend itself against. */
  readonly hostileRequests: number;
}

/**
 * Returns the maximum cost of a run at a target. Sends nothing.
 *
 * @param filters id prefixes; empty: everything
 * @throws {UnknownRequirement} if a filter matches nothing
 */
export async function plan(target: Target, filters: readonly string[] = []): Promise<Plan> {
  const side = sideOf({ target });
  const selected = selectedIds(loadCatalogue(side), { filters, target });
  const checks = await checksWith(selected, {}, side);
  return addUp(checks.map((check) => planCheck(check, target)));
}

/** Returns the minimum milliseconds at the pace of a target file; null: it sets none. */
export function leastMs(
  { requests, hostileRequests }: Pick<Plan, 'requests' | 'hostileRequests'>,
  { limits }: Target,
): number | null {
  const { requestsPerSecond, hostilePerSecond } = limits;
  if (requestsPerSecond === null && hostilePerSecond === null) return null;
  const seconds = (count: number, ...perSecond: readonly (number | null)[]): number =>
    Math.max(...perSecond.map((limit) => (limit === null ? 0 : count / limit)));
  const ordinary = seconds(requests - hostileRequests, requestsPerSecond);
  return 1_000 * (ordinary + seconds(hostileRequests, requestsPerSecond, hostilePerSecond));
}

/** Returns the milliseconds that the expected requests take at the pace of a target file, if it grows; null: it sets none. */
export function expectedMs(
  { expectedRequests, hostileRequests }: Pick<Plan, 'expectedRequests' | 'hostileRequests'>,
  { limits }: Target,
): number | null {
  const { requestsPerSecond, hostilePerSecond } = limits;
  if (requestsPerSecond === null && hostilePerSecond === null) return null;
  const { mostRequestsPerSecond = requestsPerSecond, mostHostilePerSecond = hostilePerSecond } =
    limits;
  const hostile = Math.min(hostileRequests, expectedRequests);
  const ordinary = grownMs(
    expectedRequests - hostile,
    requestsPerSecond,
    mostRequestsPerSecond,
    paceSteps.ordinary,
  );
  const slowest = Math.max(
    grownMs(hostile, hostilePerSecond, mostHostilePerSecond, paceSteps.hostile),
    grownMs(hostile, mostRequestsPerSecond, mostRequestsPerSecond, 1),
  );
  return ordinary + slowest;
}

/** Returns the milliseconds of requests at a rate that doubles after each step up to a bound. */
function grownMs(count: number, first: number | null, most: number | null, step: number): number {
  let left = count;
  let ms = 0;
  let rate = first ?? Number.POSITIVE_INFINITY;
  for (const bound = most ?? rate; left > 0; rate = Math.min(2 * rate, bound)) {
    const now = rate < bound ? Math.min(step, left) : left;
    ms += (1_000 * now) / rate;
    left -= now;
  }
  return ms;
}

/**
 * Returns the least times of the expected and of the most requests (null: the target file sets no pace), the default
 * deadline, and the requests that may replace those whose connection breaks.
 */
export function planBounds(plan: Plan, target: Target) {
  return {
    expectedMs: expectedMs(plan, target),
    mostMs: leastMs(plan, target),
    deadlineMs: deadlineMs(plan, target),
    replacements: retryBounds.connection.further(plan),
  };
}

const shortestDeadlineMs = 10 * 60_000;
/** Fraction of the timeout that a gateway may take per request on average. A slower one is unusable. */
const slowShare = 1 / 4;

/**
 * Returns the default deadline in milliseconds. It adds up the time of all requests at the pace of the target file,
 * a quarter of the timeout for each (divided by the concurrency), the whole timeout for each request of the longest
 * chain, and the patience.
 */
export function deadlineMs(
  plan: Pick<Plan, 'requests' | 'hostileRequests' | 'longestChain'>,
  target: Target,
): number {
  const { timeoutMs, concurrency, patienceMs } = target.limits;
  const slow = (plan.requests * timeoutMs * slowShare) / concurrency;
  const paced = leastMs(plan, target) ?? 0;
  const all = paced + slow + plan.longestChain * timeoutMs + patienceMs;
  return Math.max(shortestDeadlineMs, all);
}

export function planCheck(check: Check, target: Target): PlannedCheck {
  const { id, definition, everywhere } = check;
  const planned = scenariosAt(check, target).map((one) =>
    planScenario(one, target).map((scenario) => asClaimed(scenario, id, target)),
  );
  const own = planned.flatMap(([first]) => first ?? []);
  const besides = (check.besides ?? []).flatMap((one) => planScenario(one, target));
  return {
    id,
    level: definition.level,
    judgedOn: own.map(({ name }) => name),
    scenarios: unique([...own, ...planned.flat(), ...besides]),
    ...(everywhere === undefined ? {} : { everywhere: true }),
  };
}

function asClaimed(scenario: PlannedScenario, check: string, target: Target): PlannedScenario {
  const { obstacle } = scenario;
  return obstacle === null
    ? scenario
    : { ...scenario, obstacle: underClaims(check, obstacle, target) };
}

/** Returns the reason why a check cannot be judged at the target of a plan, or null. */
export function plannedObstacle({ scenarios }: PlannedCheck): Obstacle | null {
  return decisive(scenarios.flatMap(({ obstacle }) => obstacle ?? []));
}

const planScenario = perTarget((scenario: Scenario, target): readonly PlannedScenario[] => {
  const before = Object.values(scenario.after).flatMap((one) => planScenario(one, target));
  const cost = scenario.costAt(target);
  const {
    requests,
    spare = 0,
    chain = requests,
    outputTokens = target.limits.maxOutputTokens,
  } = cost;
  const { generations: expectedGenerations } = cost;
  const generations = mostGenerations(cost);
  const casting = rolesOf(scenario, target);
  const own: PlannedScenario = {
    name: scenario.name,
    requests,
    expectedRequests: requests - spare,
    generations,
    expectedGenerations,
    waitingRequests: retryBounds.lag.further({ requests, expectedGenerations }, target.limits),
    outputTokens:
      outputTokens === null && generations > 0 ? null : generations * (outputTokens ?? 0),
    chain: chain + Math.max(0, ...before.map((one) => one.chain)),
    ...(scenario.hostile === null ? {} : { hostile: true }),
    ...(scenario.last ? { last: true } : {}),
    obstacle: casting.kind === 'cast' ? null : casting,
  };
  return unique([own, ...before]);
});

function unique(planned: readonly PlannedScenario[]): PlannedScenario[] {
  return [...new Map(planned.map((one) => [one.name, one])).values()];
}

/** Adds up the needs of checks. A scenario counts once, however many checks need it. */
export function addUp(checks: readonly PlannedCheck[]): Plan {
  const sent = new Map<string, PlannedScenario>();
  for (const { scenarios } of checks) {
    if (scenarios.some(({ obstacle }) => obstacle !== null)) continue;
    for (const one of scenarios) sent.set(one.name, one);
  }
  const all = [...sent.values()];
  return {
    checks,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    expectedRequests: all.reduce((sum, one) => sum + one.expectedRequests, 0),
    waitingRequests: all.reduce((sum, one) => sum + one.waitingRequests, 0),
    generations: all.reduce((sum, { generations }) => sum + generations, 0),
    expectedGenerations: all.reduce((sum, one) => sum + one.expectedGenerations, 0),
    outputTokens: all.reduce((sum, { outputTokens }) => sum + (outputTokens ?? 0), 0),
    unlimitedGenerations: all.reduce(
      (sum, { generations, outputTokens }) => sum + (outputTokens === null ? generations : 0),
      0,
    ),
    longestChain: Math.max(0, ...all.map(({ chain }) => chain)),
    hostileRequests: all.reduce((sum, one) => sum + (one.hostile ? one.requests : 0), 0),
  };
}
