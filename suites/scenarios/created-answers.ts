import {
  asksForResponse,
  asksToGenerate,
  contentOf,
  type Exchange,
  each,
  expectValue,
  NothingToJudge,
  type StreamingProtocol,
  textAt,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { byKey, onceFor, requestBody, responseIn } from './exchanges.ts';

/** Returns the requests of a run that got a generation: HTTP requests and turns of a WebSocket. */
export const createdIn = onceFor(
  ({ exchanges }: WholeRun): ReadonlySet<Exchange> =>
    new Set(exchanges.flatMap(turnsOf).filter(isCreation)),
);

/** True if a request, or a turn, asks for a generation. */
export function isCreation(exchange: Exchange): boolean {
  return exchange.socket === null ? asksToGenerate(exchange.about) : asksForResponse(exchange);
}

/**
 * Returns the request that created the response of an exchange: the exchange itself, or the request that got its
 * id.
 */
export function creationOf(exchange: Exchange, run: WholeRun): Exchange | null {
  if (isCreation(exchange)) return exchange;
  const id = responseIn(exchange);
  return id === null ? null : creatorOf(id, run);
}

/** Returns the request that got this id in its answer; null if no request of the run did. */
export function creatorOf(id: string, run: WholeRun): Exchange | null {
  return givenOf.answers(run).get(id)?.[0] ?? null;
}

/**
 * Skips an exchange that names a response whose creation the run does not show, as in an observation that began
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
  answers: (exchange: Exchange) => [contentOf(exchange).id],
  // A compaction shows the items that it keeps, so their ids repeat.
  'output-items': (exchange: Exchange) =>
    exchange.about.protocol === 'responses' && exchange.about.operation !== 'responses.compact'
      ? contentOf(exchange).items.map((item) => textAt(item, 'id'))
      : [],
  'tool-calls': (exchange: Exchange) => contentOf(exchange).toolCalls.map(({ id }) => id),
} as const;

/** Kinds of objects whose ids a gateway must not give out twice. */
type Identified = keyof typeof idsOf;

/** Requests that got each id, the first one first, by kind. */
const givenOf = each(['answers', 'output-items', 'tool-calls'], (kind) =>
  onceFor((run: WholeRun) =>
    byKey(createdIn(run), (one) => idsOf[kind](one).flatMap((id) => id || [])),
  ),
);

/**
 * Judges that no earlier request got an id that this one gets.
 *
 * @param sameAllowed an identical request may be answered from a stored result
 */
export function expectNewIds(
  exchange: Exchange,
  kind: Identified,
  run: WholeRun,
  sameAllowed = false,
): void {
  const given = givenOf[kind](run);
  const ids = idsOf[kind](exchange).flatMap((id) => id || []);
  if (ids.length === 0) throw new NothingToJudge('it has no id');
  const taken = ids.filter((id) => {
    const first = given.get(id)?.[0];
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

/** Selects generations over a protocol. Responses includes conversations over a WebSocket. */
export function isOf(protocol: StreamingProtocol): (exchange: Exchange) => boolean {
  return (exchange) =>
    exchange.about.protocol === protocol && (exchange.socket !== null || isCreation(exchange));
}
