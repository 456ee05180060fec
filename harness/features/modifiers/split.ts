import type { Plan, PlannedScenario } from '../../kernel/engine/index.ts';

interface Shard {
  /** Ids of the checks that it judges, in the order of the plan. */
  readonly ids: readonly string[];
  /** Cost of its requests, in the unit of `costOf`. */
  readonly cost: number;
}

/** Checks that are judged on equal scenarios, and all scenarios that must be sent for them. */
interface Unit {
  readonly name: string;
  readonly ids: string[];
  readonly scenarios: readonly PlannedScenario[];
}

/**
 * Splits the checks of a plan into parts of about equal cost. The most expensive unit comes first, and each goes to
 * the part where it adds the least, while that part stays within its share. Checks with common prerequisites are
 * therefore grouped until the share is full. From then on, another part sends the prerequisite again, because a few
 * cheap controls connect most of the suite.
 *
 * The split of a plan is equal on every machine.
 */
export function split(plan: Plan, count: number): Shard[] {
  const parts = Array.from({ length: count }, () => new Part());
  const units = dearestFirst(unitsOf(plan));
  const whole = costOf(sentIn(units));
  const share = Math.max(whole / count, ...units.map(({ scenarios }) => costOf(scenarios)));
  for (const unit of units) {
    const [best] = parts
      .map((part) => ({ part, cost: part.cost + costOf(part.lacking(unit)) }))
      .sort(
        (a, b) =>
          Number(a.cost > share) - Number(b.cost > share) ||
          (a.cost <= share ? a.cost - a.part.cost - (b.cost - b.part.cost) : 0) ||
          a.cost - b.cost ||
          a.part.ids.size - b.part.ids.size,
      );
    best?.part.take(unit, best.cost);
  }
  return parts.map(({ ids, cost }) => ({
    ids: plan.checks.filter(({ id }) => ids.has(id)).map(({ id }) => id),
    cost,
  }));
}

class Part {
  readonly ids = new Set<string>();
  cost = 0;
  readonly #sent = new Set<string>();

  lacking({ scenarios }: Unit): PlannedScenario[] {
    return scenarios.filter(({ name }) => !this.#sent.has(name));
  }

  take({ ids, scenarios }: Unit, cost: number): void {
    this.cost = cost;
    for (const { name } of scenarios) this.#sent.add(name);
    for (const id of ids) this.ids.add(id);
  }
}

function sentIn(units: readonly Unit[]): Iterable<PlannedScenario> {
  const all = units.flatMap(({ scenarios }) => scenarios);
  return new Map(all.map((one) => [one.name, one])).values();
}

function unitsOf({ checks }: Plan): Unit[] {
  const units = new Map<string, Unit>();
  for (const { id, judgedOn, scenarios } of checks) {
    const name = judgedOn.join(' ');
    const unit = units.get(name);
    if (unit !== undefined) {
      unit.ids.push(id);
      continue;
    }
    // A check with an obstacle sends nothing, not even its prerequisites.
    const runs = scenarios.every(({ obstacle }) => obstacle === null);
    const sent = runs ? scenarios.filter(({ last }) => last !== true) : [];
    units.set(name, { name, ids: [id], scenarios: sent });
  }
  return [...units.values()];
}

function dearestFirst(units: readonly Unit[]): Unit[] {
  return units
    .map((unit) => ({ unit, cost: costOf(unit.scenarios) }))
    .sort((a, b) => b.cost - a.cost || (a.unit.name < b.unit.name ? -1 : 1))
    .map(({ unit }) => unit);
}

/** Sum of requests and generations. Generations count twice, because they take long and are charged. */
function costOf(scenarios: Iterable<PlannedScenario>): number {
  let cost = 0;
  for (const { requests, generations } of scenarios) cost += requests + generations;
  return cost;
}
