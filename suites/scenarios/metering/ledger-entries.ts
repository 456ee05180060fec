import {
  type Exchange,
  Inconclusive,
  NothingToJudge,
  type Protocol,
  protocolOf,
  type WholeRun,
} from '../../../harness/index.ts';
import { byKey, onceFor } from '../collections.ts';
import { hasToBeRecorded } from './generations-sent.ts';
import { clientRequestIdOf, isMetered, type LedgerRecord } from './ledger-answers.ts';
import { bookOf } from './ledger-book.ts';

/** Records of one request in the ledger. */
export interface Entry {
  readonly request: Exchange;
  readonly records: readonly LedgerRecord[];
}

/**
 * Returns the records of a request of the run.
 *
 * @throws {NothingToJudge} if the ledger was not queried for it
 * @throws {Inconclusive} if the ledger gave no valid answer
 */
export function entryIn(run: WholeRun, request: Exchange): Entry {
  const id = clientRequestIdOf(request);
  const answers = bookOf(run).get(id);
  if (answers === undefined) throw new NothingToJudge('the ledger was not asked for it');
  const records = [...answers.values()].flatMap((answer) => {
    if (answer.records instanceof Inconclusive) throw answer.records;
    return answer.records.get(id) ?? [];
  });
  return { request, records };
}

/** Returns the records seen for a request, without errors; for comparisons only. */
export function recordsSeen(run: WholeRun, request: Exchange): readonly LedgerRecord[] {
  const id = clientRequestIdOf(request);
  return [...(bookOf(run).get(id)?.values() ?? [])].flatMap(({ records }) =>
    records instanceof Inconclusive ? [] : (records.get(id) ?? []),
  );
}

/** Returns the records of the generations over each protocol. */
const recordedIn = onceFor((run: WholeRun): ReadonlyMap<Protocol, readonly LedgerRecord[]> => {
  const generations = run.exchanges.filter((request) => hasToBeRecorded(run, request));
  const byProtocol = byKey(generations, (request) => [protocolOf(request) ?? []].flat());
  return new Map(
    [...byProtocol].map(([protocol, some]) => [
      protocol,
      some.flatMap((request) => recordsSeen(run, request)),
    ]),
  );
});

function recordsOf(run: WholeRun, protocol: Protocol | null): readonly LedgerRecord[] {
  const all = recordedIn(run);
  return protocol === null ? [...all.values()].flat() : (all.get(protocol) ?? []);
}

/**
 * Leaves a check undecided if the ledger has no record of any generation of a protocol, because it then need not
 * record other requests either.
 *
 * @throws {Inconclusive} without a record of one
 */
export function assumeRecorded(run: WholeRun, protocol: Protocol): void {
  if (recordsOf(run, protocol).some(isMetered)) return;
  throw new Inconclusive(`the ledger has no record of a generation of ${protocol}`);
}

/**
 * Leaves a check undecided if no generation is charged, because a charge of zero then proves nothing about another
 * request.
 *
 * @param protocol protocol of the generations; null means any, as for the list of models, which has no protocol
 * @throws {Inconclusive} if none is charged
 */
export function assumeCharged(run: WholeRun, protocol: Protocol | null): void {
  if (isCharged(run, protocol)) return;
  const of = protocol === null ? '' : ` of ${protocol}`;
  throw new Inconclusive(`the ledger has no charge for a generation${of}`);
}

/** True if any generation of a protocol is charged. */
export function isCharged(run: WholeRun, protocol: Protocol | null): boolean {
  return recordsOf(run, protocol).some(({ charge }) => charge > 0);
}
