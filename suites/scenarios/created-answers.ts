import {
  answerId,
  asksForResponse,
  asksToGenerate,
  type Exchange,
  expectValue,
  NothingToJudge,
  outputItems,
  type StreamingProtocol,
  textAt,
  toolCalls,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { requestBody, responseIn } from './exchanges.ts';

/** The requests of a run that asked for a generation, and got one: those over HTTP, and turns of a WebSocket. */
export function createdIn(run: WholeRun): ReadonlySet<Exchange> {
  let created = createdOf.get(run);
  if (created === undefined) {
    created = new Set(run.exchanges.flatMap(turnsOf).filter(isCreation));
    createdOf.set(run, created);
  }
  return created;
}

const createdOf = new WeakMap<WholeRun, ReadonlySet<Exchange>>();

/** True if a request, or a turn, asked for a generation. */
export function isCreation(exchange: Exchange): boolean {
  return exchange.socket === null ? asksToGenerate(exchange.about) : asksForResponse(exchange);
}

/** The request that created what an answer is about: itself, or the one that gave out its id. */
export function creationOf(exchange: Exchange, run: WholeRun): Exchange | null {
  if (isCreation(exchange)) return exchange;
  const id = responseIn(exchange);
  return id === null ? null : creatorOf(id, run);
}

/** The request that got this id for its answer; null where no request of the run did. */
export function creatorOf(id: string, run: WholeRun): Exchange | null {
  return givenOf('answers', run).get(id) ?? null;
}

/**
 * Skips an exchange that names a response whose creation was not seen, as in an observation that began
 * later.
 */
export function notApplicableUnlessSeenMade(exchange: Exchange, run: WholeRun): void {
  const named = [responseIn(exchange), requestBody(exchange)?.previous_response_id];
  for (const id of named) {
    if (typeof id === 'string' && creatorOf(id, run) === null) {
      throw new NothingToJudge('nobody saw how what it names was made');
    }
  }
}

const idsOf = {
  answers: (exchange: Exchange) => [answerId(exchange)],
  // A compaction shows the items that it keeps.
  'output-items': (exchange: Exchange) =>
    exchange.about.protocol === 'responses' && exchange.about.operation !== 'responses.compact'
      ? outputItems(exchange).map((item) => textAt(item, 'id'))
      : [],
  'tool-calls': (exchange: Exchange) => toolCalls(exchange).map(({ id }) => id),
} as const;

/** Kinds of objects whose ids a gateway gives out once. */
type Identified = keyof typeof idsOf;

const givenOfRun = new WeakMap<WholeRun, Map<Identified, ReadonlyMap<string, Exchange>>>();

/** Returns the request that first got each id. */
function givenOf(kind: Identified, run: WholeRun): ReadonlyMap<string, Exchange> {
  const kinds = givenOfRun.get(run) ?? new Map<Identified, ReadonlyMap<string, Exchange>>();
  givenOfRun.set(run, kinds);
  let given = kinds.get(kind);
  if (given === undefined) {
    const pairs = [...createdIn(run)].flatMap((one) =>
      idsOf[kind](one).flatMap((id) => (id === null || id === '' ? [] : [[id, one] as const])),
    );
    // The first one wins.
    given = new Map(pairs.toReversed());
    kinds.set(kind, given);
  }
  return given;
}

/**
 * Judges that no request before has got an id that this one gets.
 *
 * @param sameAllowed the same request once more may be answered with what was kept
 */
export function expectNewIds(
  exchange: Exchange,
  kind: Identified,
  run: WholeRun,
  sameAllowed = false,
): void {
  const given = givenOf(kind, run);
  const ids = idsOf[kind](exchange).flatMap((id) => (id === null || id === '' ? [] : [id]));
  if (ids.length === 0) throw new NothingToJudge('it has no id');
  const taken = ids.filter((id) => {
    const first = given.get(id);
    if (first === undefined || first === exchange) return false;
    return !(sameAllowed && asksTheSame(first, exchange));
  });
  expectValue(taken, { as: 'ids that another request got as well', of: exchange }).toEqual([]);
  if (new Set(ids).size === ids.length) return;
  expectValue(ids, { as: 'ids', of: exchange }).toBe('different ones', () => false);
}

function asksTheSame(one: Exchange, other: Exchange): boolean {
  const [first, second] = [one, other].map((exchange) =>
    JSON.stringify({ ...requestBody(exchange), stream: undefined }),
  );
  return first === second;
}

/** A generation over a protocol; on Responses it may be a conversation over a WebSocket. */
export function isOf(protocol: StreamingProtocol): (exchange: Exchange) => boolean {
  return (exchange) =>
    exchange.about.protocol === protocol && (exchange.socket !== null || isCreation(exchange));
}
