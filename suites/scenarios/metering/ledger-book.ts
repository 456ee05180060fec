import { type Exchange, Inconclusive, type WholeRun } from '../../../harness/index.ts';
import { onceFor } from '../collections.ts';
import { clientRequestIdOf, type LedgerAnswer, ledgerAnswer, takesMany } from './ledger-answers.ts';

export type Exchanged = Pick<WholeRun, 'exchanges'>;

/** Latest answer of each ledger address, by request id. */
type Book = ReadonlyMap<string, ReadonlyMap<string, LedgerAnswer>>;

export function bookOf({ exchanges }: Exchanged): Book {
  return bookIn(exchanges);
}

const bookIn = onceFor((exchanges: readonly Exchange[]): Book => {
  const answers = exchanges
    .flatMap((exchange) => ledgerAnswer(exchange) ?? [])
    .sort((one, other) => one.exchange.times.ended - other.exchange.times.ended);
  // A probe that takes one request at a time treats several ids as one unknown id.
  const manyCount = answers.some(takesMany);
  const book = new Map<string, Map<string, LedgerAnswer>>();
  for (const answer of answers) {
    if (answer.ids.length > 1 && !manyCount) continue;
    for (const id of answer.ids) {
      const before = book.get(id) ?? new Map<string, LedgerAnswer>();
      const isBetter = !(answer.records instanceof Inconclusive) || !before.has(answer.address);
      if (isBetter) before.set(answer.address, answer);
      book.set(id, before);
    }
  }
  return book;
});

/**
 * Returns the start time of the latest successful ledger query for a request, the earliest over all addresses;
 * Infinity without a query. The ledger cannot know of anything later.
 */
export function askedAt(run: Exchanged, request: Exchange): number {
  const answers = bookOf(run).get(clientRequestIdOf(request))?.values() ?? [];
  return Math.min(...[...answers].map(({ exchange }) => exchange.times.started));
}
