import {
  answerOf,
  type Exchange,
  Inconclusive,
  json,
  type WholeRun,
} from '../../../harness/index.ts';
import { byKey, onceFor } from '../exchanges.ts';

export interface LedgerRecord {
  readonly id: string;
  /** `X-Client-Request-Id`, or null if the probe was queried for one request alone. */
  readonly clientRequestId: string | null;
  readonly status: string;
  readonly operation: string;
  /** Model that it was for; null if the probe does not tell. */
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly charge: number;
}

/** Returns the `X-Client-Request-Id` for a ledger. @throws if the request has none */
export function clientRequestIdOf(exchange: Exchange): string {
  const { headers } = exchange.request;
  const [, id] = headers.find(([name]) => /^x-client-request-id$/i.test(name)) ?? [];
  if (id === undefined) throw new Error('The request was sent without an X-Client-Request-Id');
  return id;
}

/**
 * Returns the records in the answers of a ledger probe, of all its addresses together.
 *
 * @throws {Inconclusive} if a probe does not follow its contract
 */
export function ledgerRecords(answers: readonly Exchange[]): LedgerRecord[] {
  return answers.flatMap((answer) => {
    const body = answerOf(answer).value;
    const served = answer.response !== null && answer.response.status < 300;
    if (!served || !Array.isArray(json.at(body, 'records'))) {
      throw new Inconclusive('the ledger probe did not answer with {"records": […]}', answer);
    }
    return json
      .list(body, 'records')
      .filter(json.isObject)
      .map((record) => ({
        id: json.text(record, 'id') ?? '',
        clientRequestId: json.text(record, 'client_request_id'),
        status: json.text(record, 'status') ?? '',
        operation: json.text(record, 'operation') ?? '',
        model: json.text(record, 'model'),
        inputTokens: json.number(record, 'usage.input_tokens') ?? 0,
        outputTokens: json.number(record, 'usage.output_tokens') ?? 0,
        charge: json.number(record, 'charge') ?? 0,
      }));
  });
}

/** Answer of one ledger address about a set of requests. */
export interface LedgerAnswer {
  /** Ids of the requests that the query names. */
  readonly ids: readonly string[];
  readonly address: string;
  readonly exchange: Exchange;
  /** Records by request id, or the error that prevents reading them. */
  readonly records: ReadonlyMap<string, readonly LedgerRecord[]> | Inconclusive;
}

/** Reads an answer of the ledger probe; null for any other exchange. */
export function ledgerAnswer(exchange: Exchange): LedgerAnswer | null {
  if (exchange.about.operation !== 'probes.ledger') return null;
  const url = new URL(exchange.request.url);
  const ids = (url.searchParams.get('client_request_id') ?? '').split(',');
  url.searchParams.delete('client_request_id');
  return { ids, address: url.href, exchange, records: readRecords(exchange, ids) };
}

function readRecords(exchange: Exchange, ids: readonly string[]): LedgerAnswer['records'] {
  const [only, ...others] = ids;
  try {
    // If the query names only one request, all records belong to it, whatever id they show.
    return byKey(ledgerRecords([exchange]), ({ clientRequestId }) =>
      [(others.length === 0 ? only : clientRequestId) ?? []].flat(),
    );
  } catch (error) {
    if (error instanceof Inconclusive) return error;
    throw error;
  }
}

/** True if a probe answered a query for several requests with records of at least one of them. */
export function takesMany({ ids, records }: LedgerAnswer): boolean {
  return ids.length > 1 && !(records instanceof Inconclusive) && ids.some((id) => records.has(id));
}

/** True for a record with usage or a charge. */
export function isMetered({ inputTokens, outputTokens, charge }: LedgerRecord): boolean {
  return inputTokens + outputTokens > 0 || charge > 0;
}

/** True if an answer has a record with usage or a charge for this request. */
export function showsMetered({ records }: LedgerAnswer, request: Exchange): boolean {
  if (records instanceof Inconclusive) return false;
  return records.get(clientRequestIdOf(request))?.some(isMetered) === true;
}

export type Exchanged = Pick<WholeRun, 'exchanges'>;

/** Answers of each ledger address in order, the best one last, by request id. */
type Book = ReadonlyMap<string, ReadonlyMap<string, readonly LedgerAnswer[]>>;

export function bookOf({ exchanges }: Exchanged): Book {
  return bookIn(exchanges);
}

const bookIn = onceFor((exchanges: readonly Exchange[]): Book => {
  const answers = exchanges
    .flatMap((exchange) => ledgerAnswer(exchange) ?? [])
    .sort((one, other) => one.exchange.times.ended - other.exchange.times.ended);
  // A probe that takes one request at a time treats several ids as one unknown id.
  const manyCount = answers.some(takesMany);
  const book = new Map<string, Map<string, readonly LedgerAnswer[]>>();
  for (const answer of answers) {
    if (answer.ids.length > 1 && !manyCount) continue;
    for (const id of answer.ids) {
      const before = book.get(id) ?? new Map<string, readonly LedgerAnswer[]>();
      const earlier = before.get(answer.address) ?? [];
      const isBetter = !(answer.records instanceof Inconclusive) || earlier.length === 0;
      if (isBetter) before.set(answer.address, [...earlier, answer]);
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
  return Math.min(...[...answers].map((some) => some.at(-1)?.exchange.times.started ?? Infinity));
}
