import {
  type Cost,
  type Exchange,
  Inconclusive,
  type Io,
  NothingToJudge,
  type Protocol,
  protocolOf,
  scenario,
  type Target,
  type WholeRun,
} from '../../../harness/index.ts';
import { alternating, byKey, onceFor, present } from '../exchanges.ts';
import { droppedBody } from '../running/interrupted-streams.ts';
import { hasToBeRecorded } from './generations-sent.ts';
import {
  bookOf,
  clientRequestIdOf,
  type Exchanged,
  isMetered,
  type LedgerAnswer,
  type LedgerRecord,
  ledgerAnswer,
  showsMetered,
  takesMany,
} from './ledger-answers.ts';

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
  const records = [...answers.values()].flatMap((some) => {
    const { records } = present(some.at(-1), 'answer of the ledger');
    if (records instanceof Inconclusive) throw records;
    return records.get(id) ?? [];
  });
  return { request, records };
}

/** Returns the records seen for a request, without errors; for comparisons only. */
export function recordsSeen(run: WholeRun, request: Exchange): readonly LedgerRecord[] {
  return readingsSeen(run, request).flatMap((readings) => readings.at(-1) ?? []);
}

/** Returns the records of a request at each reading in order, by the address of the ledger. */
export function readingsSeen(run: Exchanged, request: Exchange): readonly LedgerRecord[][][] {
  const id = clientRequestIdOf(request);
  return [...(bookOf(run).get(id)?.values() ?? [])].map((answers) =>
    answers.flatMap(({ records }) =>
      records instanceof Inconclusive ? [] : [[...(records.get(id) ?? [])]],
    ),
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

/** Maximum number of requests per ledger query, if the probe takes several: the URL stays below 6 KB. */
const mostAtOnce = 150;

/** Maximum number of ledger queries, for probes that take one request at a time. */
const mostLooks = 300;

/** Queries of a whole run to a probe that takes several requests at a time. */
const usualLooks = 25;

function cost({ probes: { ledger } }: Target): Cost {
  const spare = (mostLooks - usualLooks) * ledger.length;
  return { requests: mostLooks * ledger.length, spare, generations: 0, chain: 3 };
}

/**
 * Queries the ledger at the end of a run for every request. First it polls for the requests that must have a
 * record, until they appear or the deadline passes. Then it queries the rest. Read the results with `entryIn`.
 */
export const ledgerOfTheRun = scenario(
  'metering/ledger-of-the-run',
  { needs: { probes: ['ledger'] }, last: true, cost },
  async (io) => {
    const sent = (await io.sent()).filter(wasSent);
    const shown = sent.filter((request) => hasToBeRecorded({ exchanges: sent }, request));
    const isDropped = ({ id }: Exchange) => id.scenario === droppedBody.name;
    const runs = shown.some(({ id }) => id.scenario === 'baseline/responses');
    const recorded = runs ? [...shown, ...sent.filter(isDropped)] : shown;
    const looks = new Looks(io);
    await looks.until(recorded.slice(0, 1));
    await looks.tryMany(recorded[0], sent);
    await looks.until(recorded);
    const others = sent.filter((request) => !recorded.includes(request));
    // Counts come first, because free counts are the strongest requirement among the remaining requests. The kinds
    // of the others alternate, because there may be more requests than allowed queries.
    const rest = alternating(
      others.filter((one) => !isCount(one)),
      kindOf,
    );
    await looks.at([...others.filter(isCount), ...rest]);
    // A second reading shows records that change after the end of their runs.
    await looks.at(recorded);
  },
);

/** True if a request reached the gateway, or may have. No ledger can know of any other. */
function wasSent({ about, response, failure, times }: Exchange): boolean {
  if (about.protocol === 'probe') return false;
  return response !== null || (failure?.kind !== 'unreachable' && times.ended > times.started);
}

function isCount({ about }: Exchange): boolean {
  return /\.(count|input)-tokens$/.test(about.operation);
}

function kindOf({ about: { operation, region, key }, response }: Exchange): string {
  return [operation, region, key, response?.status].join(' ');
}

/** Queries the ledgers of all regions, up to the maximum. */
class Looks {
  readonly #io: Io;
  readonly #recorded = new Set<Exchange>();
  #made = 0;
  #atOnce = 1;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Detects a probe that takes several requests. @param known a request with a record */
  async tryMany(known: Exchange | undefined, sent: readonly Exchange[]): Promise<void> {
    const other = sent.find((request) => request !== known);
    if (known === undefined || other === undefined) return;
    const answers = await this.#ask([known, other]);
    if (answers.some(takesMany)) this.#atOnce = mostAtOnce;
  }

  /** Polls until each request has a record with usage or a charge, because a ledger may be written with a delay. */
  async until(requests: readonly Exchange[]): Promise<void> {
    let missing = requests;
    if (missing.length === 0) return;
    await this.#io.poll(
      async () => {
        const answers = await this.at(missing);
        missing = missing.filter((request) => !this.#recorded.has(request));
        return present(answers.at(-1), 'answer of the ledger').exchange;
      },
      () => missing.length === 0 || this.#left === 0,
    );
  }

  /** Queries each request once, as far as the maximum allows. */
  async at(requests: readonly Exchange[]): Promise<readonly LedgerAnswer[]> {
    const looks: Exchange[][] = [];
    for (let first = 0; first < requests.length; first += this.#atOnce) {
      looks.push(requests.slice(first, first + this.#atOnce));
    }
    const answers = await Promise.all(looks.slice(0, this.#left).map((some) => this.#ask(some)));
    return answers.flat();
  }

  get #left(): number {
    return mostLooks - this.#made;
  }

  async #ask(requests: readonly Exchange[]): Promise<readonly LedgerAnswer[]> {
    this.#made++;
    const exchanges = await this.#io.probes.ledger(requests.map(clientRequestIdOf));
    const answers = exchanges.flatMap((exchange) => ledgerAnswer(exchange) ?? []);
    for (const request of requests) {
      if (answers.some((answer) => showsMetered(answer, request))) this.#recorded.add(request);
    }
    return answers;
  }
}
