import {
  type CheckVerdict,
  type Evidence,
  type Exchange,
  formatId,
  operationRows,
} from '../core/index.ts';
import { brokenAt, turnsOf } from '../judge/index.ts';
import type { OperationName } from '../protocols/index.ts';
import { operationsIn } from './again/index.ts';

type Undecided = Extract<CheckVerdict, { readonly state: 'inconclusive' }>;

/**
 * Finds the failed checks that explain an undecided one, so that it needs no look of its own: a check that
 * fails at the very exchange that left the other open, even if it is one of many; and the check of an
 * operation that nobody is served, for a check that waits for the operation or got the same outcome from
 * it.
 *
 * @returns by the ids of undecided checks; those that nothing explains are not among them
 */
export function explainingFailures(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, readonly string[]> {
  const undecided = [...verdicts].flatMap(([id, verdict]) =>
    verdict.state === 'inconclusive' && verdict.evidence !== null ? [[id, verdict] as const] : [],
  );
  const failed = new Map<string, Failed>();
  for (const [id, verdict] of verdicts) {
    if (verdict.state !== 'fail' && verdict.state !== 'warn') continue;
    const { evidence, points } = verdict;
    const ids = new Set(points === undefined ? [] : brokenAt(points));
    if (evidence !== null) ids.add(evidence.exchange);
    failed.set(id, { ids, evidence });
  }
  if (undecided.length === 0 || failed.size === 0) return new Map();
  const byId = new Map(exchanges.map((exchange) => [formatId(exchange.id), exchange]));
  const behind = undecided.flatMap(([id, verdict]) => {
    const ids = [...failed.keys()].filter((one) => {
      const failure = failed.get(one);
      if (failure === undefined || verdict.evidence === null) return false;
      if (failure.ids.has(verdict.evidence.exchange)) return true;
      const exchange = byId.get(verdict.evidence.exchange);
      return exchange !== undefined && isUnserved(one, failure, verdict, exchange);
    });
    return ids.length === 0 ? [] : [[id, ids] as const];
  });
  return new Map(behind);
}

interface Failed {
  /** Ids of the exchanges that break the check. */
  readonly ids: ReadonlySet<string>;
  readonly evidence: Evidence | null;
}

/**
 * True if the undecided check waits for the operation that the failed check is about, or got the same
 * outcome from it.
 */
function isUnserved(
  id: string,
  { evidence }: Failed,
  verdict: Undecided,
  exchange: Exchange,
): boolean {
  const rows = turnsOf(exchange).flatMap(operationsIn).map(rowOf);
  if (!rows.includes(id)) return false;
  return verdict.cause === 'prerequisite' || evidence?.outcome === verdict.evidence?.outcome;
}

function rowOf(operation: OperationName): string | undefined {
  return operationRows.get(operation);
}
