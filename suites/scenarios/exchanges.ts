import {
  answerOf,
  asksForResponse,
  asksToGenerate,
  baseUrlOf,
  contentOf,
  decoded,
  type EndpointName,
  type Everywhere,
  type Exchange,
  each,
  endpointOf,
  expectValue,
  Inconclusive,
  idOf,
  isRefused,
  isServed,
  json,
  NothingToJudge,
  outcome,
  protocolBy,
  redirectedTo,
  remembered,
  type StreamingProtocol,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';

/** Returns `read` with its results kept: it reads each object once. */
export function onceFor<Of extends object, Value>(read: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    let kept = known.get(of);
    if (kept === undefined) {
      kept = { value: read(of) };
      known.set(of, kept);
    }
    return kept.value;
  };
}

/** Returns the items under each of their keys, in their order. */
export function byKey<Item, Key>(
  items: Iterable<Item>,
  keysOf: (item: Item) => Iterable<Key>,
): Map<Key, Item[]> {
  const all = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const known = all.get(key);
      if (known === undefined) all.set(key, [item]);
      else known.push(item);
    }
  }
  return all;
}

/** Orders items so that their kinds alternate. */
export function alternating<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  const ranked = items.map((item) => {
    const kind = kindOf(item);
    const rank = counts.get(kind) ?? 0;
    counts.set(kind, rank + 1);
    return { item, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}

// Predicates that select the exchanges that a requirement applies to.

export type Which = Everywhere['which'];

const sentToOf = new WeakMap<Exchange, EndpointName | null>();

/** Returns the endpoint that a request was sent to; null if its path or method matches none. */
export function endpointIn(exchange: Exchange, { target }: WholeRun): EndpointName | null {
  let endpoint = sentToOf.get(exchange);
  if (endpoint === undefined) {
    const region = target.regions.find(({ name }) => name === exchange.about.region);
    endpoint =
      region === undefined
        ? null
        : endpointOf(exchange, baseUrlOf(exchange.about.protocol, region, target));
    sentToOf.set(exchange, endpoint);
  }
  return endpoint;
}

/** Selects successful requests to an endpoint of the interface, with any key. */
export function isServedAt(endpoint: EndpointName): Which {
  return (exchange, run) => endpointIn(exchange, run) === endpoint && isSuccess(exchange);
}

/** Selects successful requests to an endpoint whose answer is one JSON body. */
export function bodyAt(endpoint: EndpointName): Which {
  const isAt = isServedAt(endpoint);
  return (exchange, run) => isAt(exchange, run) && answerOf(exchange).value !== undefined;
}

/**
 * Selects answers that have to be one JSON body: those to served requests without an event stream, even if the body
 * is not JSON. An unrequested stream is judged as a stream.
 */
export function bodyDueAt(endpoint: EndpointName): Pick<Everywhere, 'which' | 'partial'> {
  const isAt = isServedAt(endpoint);
  return {
    which: (exchange, run) =>
      isAt(exchange, run) &&
      hasCome(exchange) &&
      (answerOf(exchange).value !== undefined ||
        (!mayStream(exchange) && !answersWithEvents(exchange))),
    partial: true,
  };
}

/** True if the whole HTTP answer arrived, even if it cannot be decoded. */
function hasCome({ failure, socket }: Exchange): boolean {
  const how = failure?.kind ?? 'whole';
  return socket === null && ['whole', 'undecodable'].includes(how);
}

function mayStream(exchange: Exchange): boolean {
  const stream = requestBody(exchange)?.stream ?? false;
  return stream !== false || new URL(exchange.request.url).searchParams.has('stream');
}

function answersWithEvents(exchange: Exchange): boolean {
  return answerOf(exchange).events.length > 0;
}

/** True for status 2xx, or an open WebSocket. */
export function isSuccess({ response }: Exchange): boolean {
  return response !== null && (response.status === 101 || Math.floor(response.status / 100) === 2);
}

/**
 * Statuses of servers in front of a gateway, or of an unsupported method. No source specifies the form of such a
 * refusal, nor that of a redirect.
 */
const statusesBefore: ReadonlySet<number> = new Set([405, 408, 413, 414, 426, 431]);

/** True for a refusal over HTTP by an endpoint of the interface. */
export function isRefusal(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  const isPlain = !statusesBefore.has(status) && redirectedTo(exchange) === null;
  return isPlain && isRefused(exchange, { capability: true });
}

/** True for an error answer of the gateway, client or server error: over HTTP, or in a turn of a WebSocket. */
export function hasFailed({ response, socket }: Exchange): boolean {
  const status = response?.status ?? 0;
  return socket !== null || (status >= 400 && !statusesBefore.has(status));
}

export function refusedAt(endpoint: EndpointName): Which {
  return (exchange, run) => endpointIn(exchange, run) === endpoint && isRefusal(exchange);
}

const servingIn = onceFor((run: WholeRun): ReadonlySet<EndpointName> => {
  const served = run.exchanges.filter((one) => isSuccess(one) && isServed(one));
  return new Set(served.flatMap((one) => endpointIn(one, run) ?? []));
});

/**
 * Leaves a check undecided at an endpoint that serves no request of the run. Such an endpoint refuses everything,
 * which proves nothing about the form of its refusals. Its absence fails a separate requirement.
 */
export function assumeServing(exchange: Exchange, run: WholeRun): void {
  const endpoint = endpointIn(exchange, run);
  if (endpoint !== null && servingIn(run).has(endpoint)) return;
  throw new Inconclusive(`no request to ${endpoint ?? 'this path'} was served`, exchange);
}

/** Skips requests to paths outside the interface: no source specifies their answers. */
export function notApplicableUnlessAtEndpoint(exchange: Exchange, run: WholeRun): void {
  if (endpointIn(exchange, run) !== null) return;
  throw new NothingToJudge('it was sent to no endpoint of the interface');
}

/** Returns the JSON body of a request; for a turn of a WebSocket, its frame. */
export const requestBody = onceFor(
  ({ request, socket }: Exchange): Readonly<Record<string, unknown>> | null => {
    const sent = request.body ?? socket?.frames.find(({ from }) => from === 'us')?.data ?? null;
    const body = sent === null ? null : json.parsed(new TextDecoder().decode(sent));
    return json.isObject(body) ? body : null;
  },
);

/** True if a request asks for an event stream over HTTP, other than the recovery of one. */
export function asksForStream(exchange: Exchange, protocol: StreamingProtocol): boolean {
  const { about, socket, request } = exchange;
  if (about.protocol !== protocol || socket !== null || request.method !== 'POST') return false;
  return (
    requestBody(exchange)?.stream === true ||
    /:streamGenerateContent$/.test(new URL(request.url).pathname)
  );
}

/**
 * Selects event streams over HTTP with at least one event, complete or not. A stream resumed after an event may
 * have nothing left to send, and may say so with an event that belongs to no protocol.
 */
export function isStream(protocol: StreamingProtocol): (exchange: Exchange) => boolean {
  return (exchange) =>
    exchange.about.protocol === protocol &&
    exchange.socket === null &&
    isSuccess(exchange) &&
    answerOf(exchange).events.some(
      (event) => !startsLater(exchange) || protocolBy.event(event) !== null,
    );
}

const startsLater = remembered(({ request }) =>
  new URL(request.url).searchParams.has('starting_after'),
);

/** Returns when each response was first stopped, by its id. */
const stoppedIn = onceFor(({ exchanges }: WholeRun): ReadonlyMap<string, number> => {
  const stops = exchanges.filter((one) => stopping.has(one.about.operation) && !isRefused(one));
  // The earliest is the last in the list, so that it stays.
  const latestFirst = stops.toSorted((one, other) => other.times.started - one.times.started);
  return new Map(latestFirst.map((one) => [responseIn(one) ?? '', one.times.started]));
});

/**
 * True if the run also cancels or deletes the response before the exchange has ended: no source documents the end of
 * its stream then.
 */
export function isStopped(exchange: Exchange, run: WholeRun): boolean {
  const since = stoppedIn(run).get(contentOf(exchange).id ?? '');
  return since !== undefined && since < exchange.times.ended;
}

const stopping: ReadonlySet<string> = new Set(['responses.cancel', 'responses.delete']);

/** Returns the response id in the path of a request; null if the path has none. */
export const responseIn = remembered(({ request }): string | null => {
  const id = /\/responses\/([^/]+)/.exec(new URL(request.url).pathname)?.[1];
  return id === undefined ? null : decoded(id);
});

/** Returns the model that a request over HTTP names in its body or its path, or null. */
export function namedModel(exchange: Exchange): string | null {
  const [, inPath] = /\/models\/([^/:?]+):/.exec(exchange.request.url) ?? [];
  return inPath === undefined ? json.text(requestBody(exchange), 'model') : decoded(inPath);
}

/** True if a request names the model in its body, in its path, or in the first frame of a socket. */
export function namesModel({ request, socket }: Exchange, model: string): boolean {
  if (request.url.includes(`/models/${encodeURIComponent(model)}:`)) return true;
  const sent = request.body ?? socket?.frames.find(({ from }) => from === 'us')?.data ?? null;
  return sent !== null && json.at(JSON.parse(new TextDecoder().decode(sent)), 'model') === model;
}

const isConstant = onceFor(({ exchanges }: WholeRun): boolean => {
  const made = exchanges.filter(({ about }) => asksToGenerate(about));
  const ids = made.flatMap((one) => contentOf(one).id ?? []);
  return ids.length > 1 && new Set(ids).size === 1;
});

/**
 * Leaves a check undecided if all generations of the run have one id. A server with a constant answer passes every
 * check of that answer's form without serving a generation.
 */
export function assumeIdsDiffer(exchange: Exchange, run: WholeRun): void {
  if (isConstant(run)) throw new Inconclusive('all generations have the same id', exchange);
}

/** Length in characters from which a text is unlikely to recur by chance. */
export const distinctive = 24;

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
 * Returns the request that created the response of an exchange: the exchange itself, or the request that got its id.
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
 * Skips an exchange that names a response whose creation the run does not show, as in an observation that began later.
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
      ? contentOf(exchange).items.map((item) => json.text(item, 'id'))
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

/**
 * Leaves a check undecided if two generations have the same id. A server that gives every client the same answer
 * serves no generation, and must not pass a check that something is served. Call it last, after the other
 * expectations.
 *
 * Denials are not judged either if every response has the same id. A response served to another user under that id
 * may be that user's own, and a response found after a deletion may be a different one. The repeated id itself is a
 * failure of another check.
 *
 * @param answers the answers that are judged; one without an id is not compared
 * @param others additional generations, which prove nothing without their ids
 * @throws {Inconclusive} if two generations have the same id (unique ids are a separate requirement), or one of
 * `others` has none
 */
export function assumeDistinctIds(answers: readonly Exchange[], others: readonly Exchange[]): void {
  const seen = new Set<string>();
  // An exchange in both lists is one generation.
  for (const exchange of new Set([...others, ...answers])) {
    const id = contentOf(exchange).id;
    if (id === null) {
      if (answers.includes(exchange)) continue;
      throw new Inconclusive(
        `another ${exchange.about.operation}, which needs an id of its own, gave none, but ${outcome(exchange)}`,
        exchange,
      );
    }
    if (seen.has(id)) {
      throw new Inconclusive(
        `two generations have the same id, ${id}: one cannot be distinguished from the other (see generation/responses.id-unique)`,
        exchange,
      );
    }
    seen.add(id);
  }
}

/** Judges that an answer has a different id than the first one. */
export function expectOtherId(answer: Exchange, first: Exchange): void {
  const id = idOf(first);
  expectValue(idOf(answer), { as: 'the id of another answer', of: answer }).toBe(
    `not ${id} again`,
    (one) => one !== id,
  );
}

/**
 * Returns a value that a scenario must have captured for a check. Its absence is an internal error, and makes the
 * check an `error`.
 */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Error(`The scenario captured no ${what}`);
  return value;
}
