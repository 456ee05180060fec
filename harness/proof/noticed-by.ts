import type { Noticed } from '../kernel/cli/index.ts';
import { covers, loadCatalogue } from '../kernel/core/index.ts';
import { faults } from './faults/index.ts';
import { readRecorded } from './recorded-failures.ts';

let known: Noticed | undefined;

/** Returns the faults that each check notices, from the declared faults and the recorded failures. */
export function noticedByChecks(): Noticed {
  if (known !== undefined) return known;
  const ids = loadCatalogue().checks.map(({ id }) => id);
  const recorded = readRecorded(faults, ids);
  const by = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const { id: fault, breaks } of faults) {
    const meant = breaks.flatMap((name) =>
      by.has(name) ? [name] : ids.filter((id) => covers([name], id)),
    );
    for (const check of [...meant, ...(recorded.get(fault)?.always ?? [])]) {
      by.get(check)?.add(fault);
    }
  }
  known = { faults: faults.length, by };
  return known;
}
