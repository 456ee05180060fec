import { type CheckVerdict, type Evidence, type Exchange, operationRows } from '../core/index.ts';
import { brokenAt, turnsOf } from '../judge/index.ts';
import type { OperationName } from '../protocols/index.ts';
import { operationsIn } from './again/answers.ts';

type Undecided = Extract<CheckVerdict, { readonly state: 'inconclusive' }>;

/**
 * Which failed checks explain what was left undecided, so that it needs no look of its own:
 *
 * - those that fail because of the very exchange that left it open, be it one of many;
 * - the check that fails when nobody is served an operation, for what waits for such an operation, or got
 *   from it what that check got.
 *
 * @returns by the ids of undecided checks; those that nothing explains are not among them
 */
export function explained(
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
    const keys = new Set(points === undefined ? [] : brokenAt(points));
    if (evidence !== null) keys.add(evidence.exchange);
    failed.set(id, { keys, evidence });
  }
  if (undecided.length === 0 || failed.size === 0) return new Map();
  const byKey = new Map(exchanges.map((exchange) => [exchange.key, exchange]));
  const behind = undecided.flatMap(([id, verdict]) => {
    const ids = [...failed.keys()].filter((one) => {
      const failure = failed.get(one);
      if (failure === undefined || verdict.evidence === null) return false;
      if (failure.keys.has(verdict.evidence.exchange)) return true;
      const exchange = byKey.get(verdict.evidence.exchange);
      return exchange !== undefined && isUnserved(one, failure, verdict, exchange);
    });
    return ids.length === 0 ? [] : [[id, ids] as const];
  });
  return new Map(behind);
}

interface Failed {
  /** Of the exchanges that break it. */
  readonly keys: ReadonlySet<string>;
  readonly evidence: Evidence | null;
}

/** Whether it waits for an operation that nobody is served, or got from it what the check of it got. */
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
