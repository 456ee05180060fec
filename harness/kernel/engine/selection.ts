import type { Catalogue, RestrictionFlags, Side } from '../core/index.ts';
import type { Selection } from '../recordings/index.ts';
import { leftOpenBy } from './claims.ts';
import { type Check, suiteChecks } from './registry.ts';
import { scenariosIn } from './scenario.ts';

interface Selected {
  /** Id prefixes; empty: everything. @see Catalogue.select */
  readonly filters?: readonly string[] | undefined;
  /** Part of the filtered checks that the run is narrowed to. */
  readonly only?: Selection | undefined;
  /** Restrictions of the gateway, which exclude groups of checks if there are no filters. */
  readonly target?: RestrictionFlags | undefined;
}

/** Returns the ids of the checks to run; null: all. @throws {UnknownRequirement} */
export function selectedIds(
  catalogue: Catalogue,
  { filters = [], only, target = {} }: Selected,
): ReadonlySet<string> | null {
  const all = catalogue.select(filters).map(({ id }) => id);
  const ids = new Set(
    filters.length === 0 ? all.filter((id) => leftOpenBy(id, target) === null) : all,
  );
  if (only === undefined) return ids.size === catalogue.checks.length ? null : ids;
  return new Set(only.ids.filter((id) => ids.has(id)));
}

/** Returns the checks of the suites with these ids. @param ids null: all */
export async function checksWith(
  ids: ReadonlySet<string> | null,
  { along = [], without = [] }: Pick<Selection, 'along' | 'without'> = {},
  side: Side = 'gateway',
): Promise<readonly Check[]> {
  const all = await suiteChecks(side);
  const checks = without.length === 0 ? all : all.map((check) => lacking(check, without));
  const chosen = ids === null ? checks : checks.filter(({ id }) => ids.has(id));
  return along.length === 0
    ? chosen
    : chosen.map((check) => (along.includes(check.id) ? goingAlong(check) : check));
}

/** Returns the check without some of the scenarios that may decide it. */
function lacking(check: Check, names: readonly string[]): Check {
  const besides = (check.besides ?? []).filter(({ name }) => !names.includes(name));
  return { ...check, besides };
}

/** Returns the check with only its last scenarios, which investigate the exchanges of others. */
function goingAlong(check: Check): Check {
  const scenarios = scenariosIn(check.on).filter(({ last }) => last);
  const on = Object.fromEntries(scenarios.map((scenario) => [scenario.name, scenario]));
  return { ...check, on };
}
