import { type CheckVerdict, type Exchange, formatId, operationRows } from '../core/index.ts';
import { brokenAt, turnsOf } from '../judge/index.ts';
import { operationsIn } from './again/index.ts';

/**
 * Finds the failed checks that explain an undecided one, so that it needs no investigation. Two kinds explain it: a
 * check that fails at the exchange that left the other undecided, even if it is one of many; and the check of an
 * operation that is never served, if the undecided check waits for the operation or got the same outcome from it.
 *
 * @returns by the ids of undecided checks; without those that nothing explains
 */
export function explainingFailures(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, readonly string[]> {
  const failed = [...verdicts].flatMap(([id, verdict]) => {
    if (verdict.state !== 'fail' && verdict.state !== 'warn') return [];
    const { evidence, points } = verdict;
    const broken = new Set(points === undefined ? [] : brokenAt(points));
    if (evidence !== null) broken.add(evidence.exchange);
    return [{ id, broken, outcome: evidence?.outcome }];
  });
  if (failed.length === 0) return new Map();
  const byId = new Map(exchanges.map((exchange) => [formatId(exchange.id), exchange]));
  const explaining = [...verdicts].flatMap(([id, verdict]) => {
    if (verdict.state !== 'inconclusive' || verdict.evidence === null) return [];
    const { cause, evidence } = verdict;
    const exchange = byId.get(evidence.exchange);
    const rows = (exchange === undefined ? [] : turnsOf(exchange))
      .flatMap(operationsIn)
      .map((operation) => operationRows.get(operation));
    const ids = failed
      .filter(
        (one) =>
          one.broken.has(evidence.exchange) ||
          (rows.includes(one.id) && (cause === 'prerequisite' || one.outcome === evidence.outcome)),
      )
      .map((one) => one.id);
    return ids.length === 0 ? [] : [[id, ids] as const];
  });
  return new Map(explaining);
}
