import { at, type Exchange, type Lagging, parsed, textAt } from '../../core/index.ts';
import { isRefused, isServed, turnsOf } from '../../judge/index.ts';
import {
  asksToGenerate,
  type Call,
  type CallOptions,
  contentOf,
  type ErrorBody,
  errorBody,
  errorIn,
  hasGeneratedContent,
  isRunning,
  storedIdIn,
} from '../../protocols/index.ts';
import { isWellPlaced } from '../schedule/hostile.ts';

// Tracks the effects of requests on stored responses, and tells whether a later answer shows them. Some nodes of a
// store may show an effect later than others, within `limits.consistencyMs`.

/** State of a stored response. Times are in milliseconds since the start of the run. */
export interface Known {
  readonly by: Maker;
  /** When its creation was answered; null while its stream or its socket is open. */
  readonly stored: number | null;
  readonly ended: number | null;
  readonly cancelled: number | null;
  readonly deleted: number | null;
  /** When it was aged, or when a deletion got no answer: it may be gone from then on. */
  readonly aged: number | null;
  /** When a lookup last showed it, and when one was last denied. */
  readonly shown: number | null;
  readonly denied: number | null;
}

/** Key, region and model that made a response. Later requests with the same three are served. */
interface Maker {
  readonly key: MakerKey;
  readonly region: string;
  readonly model: string | null;
}

type MakerKey = (typeof makerKeys)[number];

const makerKeys = ['owner', 'sameUser', 'otherUser', 'restricted'] as const;

/** Returns null for a key that cannot have made anything. */
export function makerOf(name: string, region: string, model: string | null): Maker | null {
  const key = makerKeys.find((one) => one === name);
  return key === undefined ? null : { key, region, model };
}

export type Change = Partial<Omit<Known, 'by'>> & { readonly id: string; readonly by?: Maker };

/** Returns the state of a response after changes in order, or null if its maker is unknown. */
export function knownFrom(changes: readonly Change[]): Known | null {
  // A response that is deleted while its stream or its socket is open was made before.
  const made = changes.filter(({ by }) => by !== undefined);
  const rest = changes.filter(({ by }) => by === undefined);
  return [...made, ...rest].reduce(changed, null);
}

const nothing = {
  ...{ stored: null, ended: null, cancelled: null, deleted: null, aged: null },
  ...{ shown: null, denied: null },
} as const;

function changed(before: Known | null, { id: _, by: maker, ...change }: Change): Known | null {
  const by = before?.by ?? maker;
  if (by === undefined) return null;
  return {
    ...(before ?? nothing),
    ...change,
    by,
    // The first sighting counts: every later answer has to show it.
    ended: before?.ended ?? change.ended ?? null,
    deleted: before?.deleted ?? change.deleted ?? null,
    cancelled: before?.cancelled ?? change.cancelled ?? null,
  };
}

const kept = new WeakMap<Exchange, readonly Change[]>();

/** Returns the changes that an exchange has made to stored responses, or shows of them. */
export function changesIn(exchange: Exchange): readonly Change[] {
  let changes = kept.get(exchange);
  if (changes === undefined) {
    const { protocol } = exchange.about;
    changes =
      protocol === 'responses' ? read(exchange) : protocol === 'probe' ? agedIn(exchange) : [];
    kept.set(exchange, changes);
  }
  return changes;
}

function read(exchange: Exchange): readonly Change[] {
  const { about, times } = exchange;
  const id = storedIdIn(about.operation, exchange.request.url);
  if (id === null) return turnsOf(exchange).flatMap((turn) => madeIn(turn));
  const now = times.ended;
  const done = succeeded(exchange);
  switch (about.operation) {
    case 'responses.delete':
      // A deletion that got no answer may have been carried out.
      if (exchange.failure !== null && !exchange.carriedOut) return [{ id, aged: times.started }];
      return done ? [{ id, deleted: now, aged: null }] : [];
    case 'responses.cancel':
      return done ? [{ id, cancelled: now }] : [];
    case 'responses.recover':
    case 'responses.lookup':
      if (isServed(exchange)) {
        const status = contentOf(exchange).ending;
        const hasEnded = status !== null && !isRunning(status);
        // The maker of a response whose creation was interrupted is known from this lookup alone.
        const by = makerOf(about.key, about.region, null) ?? undefined;
        return [{ id, ...(by && { by }), shown: now, ...(hasEnded ? { ended: now } : {}) }];
      }
      return isRefused(exchange) ? [{ id, denied: now }] : [];
    default:
      return [];
  }
}

/** Returns the response that a request to the clock probe ages. */
function agedIn({ about, request, times }: Exchange): readonly Change[] {
  if (about.operation !== 'probes.clock') return [];
  const sent = parsed(new TextDecoder().decode(request.body ?? new Uint8Array()));
  const id = textAt(sent, 'response_id');
  return id === null ? [] : [{ id, aged: times.started }];
}

function madeIn(turn: Exchange): readonly Change[] {
  const { about, request, socket, failure, times } = turn;
  if (socket === null && !makes.has(about.operation)) return [];
  const id = contentOf(turn).id;
  const frame = socket?.frames.find(({ from }) => from === 'us')?.data;
  const sent = parsed(new TextDecoder().decode(request.body ?? frame ?? new Uint8Array()));
  if (id === null || !asksToStore(sent) || isRefused(turn)) return [];
  // A foreground response that we disconnected from need not be stored.
  if (failure !== null && at(sent, 'background') !== true) return [];
  const status = contentOf(turn).ending;
  const hasEnded = failure === null && status !== null && !isRunning(status);
  const by = makerOf(about.key, about.region, textAt(sent, 'model'));
  if (by === null) return [];
  // A socket may stay open long after a turn.
  const stored = socket?.frames.at(-1)?.at ?? times.ended;
  return [{ id, by, stored, ...(hasEnded ? { ended: stored } : {}) }];
}

const makes: ReadonlySet<string> = new Set(['responses.create', 'responses.stream']);

/** Natively, a response is stored unless the request says otherwise. */
export function asksToStore(body: unknown): boolean {
  return at(body, 'store') !== false;
}

/** 2xx without an error in the body, or known to be carried out in spite of a broken connection. */
function succeeded(exchange: Exchange): boolean {
  if (exchange.carriedOut) return true;
  const status = exchange.response?.status ?? 0;
  return status >= 200 && status < 300 && errorBody(exchange) === null;
}

/** Returns the stored responses by id, without ids that several responses have. */
export function responsesIn(exchanges: readonly Exchange[]): ReadonlyMap<string, Known> {
  const changes = new Map<string, Change[]>();
  for (const exchange of [...exchanges].sort((a, b) => a.times.ended - b.times.ended)) {
    for (const change of changesIn(exchange)) {
      changes.set(change.id, [...(changes.get(change.id) ?? []), change]);
    }
  }
  return new Map(
    [...changes].flatMap(([id, own]) => {
      const known = isAmbiguous(own) ? null : knownFrom(own);
      return known === null ? [] : [[id, known] as const];
    }),
  );
}

/** True if several responses have the id, so that a request with it is ambiguous. */
export function isAmbiguous(changes: readonly Change[]): boolean {
  return new Set(changes.flatMap(({ by, stored }) => (by && stored) ?? [])).size > 1;
}

export interface Act {
  readonly id: string;
  readonly operation: string;
  /** True if the request costs a generation when it is served. */
  readonly generates: boolean;
  readonly by: Omit<Maker, 'key'> & { readonly key: string };
  /** The credential is in its ordinary place. */
  readonly plain: boolean;
}

/** Returns the act of a call on a stored response, or null if it names none. */
export function actOf(call: Call, options: CallOptions): Act | null {
  const named = textAt(call.body, 'previous_response_id');
  const id = named ?? storedIdIn(call.operation, call.path);
  if (id === null) return null;
  const { by, plain } = senderOf(call.body, options);
  const { operation, protocol } = call;
  const generates = asksToGenerate(call);
  return { id, operation, generates, by, plain: plain && protocol === 'responses' };
}

/** Returns the act of a turn on a stored response, or null if its frame names none. */
export function actIn(frame: object, options: CallOptions): Act | null {
  const id = textAt(frame, 'previous_response_id');
  if (id === null) return null;
  return { id, operation: 'responses.connect', generates: true, ...senderOf(frame, options) };
}

function senderOf(body: unknown, options: CallOptions): Pick<Act, 'by' | 'plain'> {
  const { key = 'owner', region = '', placement, beside } = options;
  const by = { key, region, model: textAt(body, 'model') };
  return { by, plain: isWellPlaced(placement) && beside === undefined };
}

/** True for the maker's key, and for two keys of a user with the same permissions. */
export function sharesAll(key: string, maker: string): boolean {
  const own = ['owner', 'sameUser'];
  return key === maker || (own.includes(key) && own.includes(maker));
}

/** True if the request comes from the maker of the response, or from a second key of the same user. */
function isEntitled({ by: maker }: Known, { by, plain }: Act): boolean {
  const isUser = sharesAll(by.key, maker.key);
  // A request under another model may be refused because of that model.
  const isModel = by.model === null || maker.model === null || by.model === maker.model;
  return plain && isUser && isModel && by.region === maker.region;
}

/** A change that an answer does not show yet, and the time since which it might. */
export interface Stale {
  readonly what: Lagging;
  /** Null: since the first request of the act. */
  readonly since: number | null;
}

/**
 * Returns the change that the answer to an act does not show yet, or null. Only a refusal, or the response in an
 * earlier state, may be due to a lag: any other answer is judged as it is.
 */
export function staleIn(known: Known, act: Act, answer: Exchange): Stale | null {
  if (!mayBeAskedAgain(known, act)) return null;
  const isLookup = act.operation === 'responses.lookup';
  const isOfAnother = isLookup && (contentOf(answer).id ?? act.id) !== act.id;
  if (known.deleted !== null) {
    // A second deletion may be served, and then shows no content.
    const isDone = isServed(answer) && act.operation !== 'responses.delete';
    // A recovery that the deletion interrupts has shown the content, too.
    const isEarlier = (isDone || hasGeneratedContent(answer)) && !isOfAnother;
    return isEarlier ? { what: 'deleted', since: known.deleted } : null;
  }
  if (saysUnknown(answer)) return { what: 'stored', since: known.stored };
  if (!isLookup || isOfAnother || !isServed(answer) || !isRunning(contentOf(answer).ending))
    return null;
  if (known.cancelled !== null) return { what: 'cancelled', since: known.cancelled };
  return known.ended === null ? null : { what: 'ended', since: known.ended };
}

/** Returns what the events of a turn do not show yet, or null. */
export function staleTurn(known: Known, events: readonly unknown[]): Stale | null {
  if (known.deleted !== null) {
    const isMade = events.some((event) => textAt(event, 'type') === 'response.created');
    return isMade ? { what: 'deleted', since: known.deleted } : null;
  }
  const error = events.map(errorIn).find((one) => one !== null) ?? null;
  return namesUnknown(error) ? { what: 'stored', since: known.stored } : null;
}

/** True for a refusal as if the response did not exist, and not for a wrong request. */
function saysUnknown(answer: Exchange): boolean {
  if (!isRefused(answer)) return false;
  const status = answer.response?.status ?? 0;
  return [403, 404, 410].includes(status) || namesUnknown(errorBody(answer));
}

function namesUnknown(error: ErrorBody | null): boolean {
  if (error === null) return false;
  const said = `${error.code ?? ''} ${error.type ?? ''} ${error.message}`;
  return [403, 404, 410].includes(error.status ?? 0) || unknownWords.test(said);
}

const unknownWords =
  /not.?found|no such|(does|did) not exist|not exist|unknown (response|id)|no response|previous.?response/i;

/**
 * Returns the change that a lookup by the maker has to show before an act on a young response proves anything. Null
 * if that was seen, or if the act is free and can be polled itself. The response has to be seen before an act that
 * is to be denied or that costs a generation. Its deletion has to be seen before an act that would otherwise cost a
 * generation.
 */
export function toBeSeenFirst(known: Known, act: Act): Stale | null {
  if (known.aged !== null) return null;
  if (known.deleted !== null) {
    const isSeen = known.denied !== null && known.denied >= known.deleted;
    const first = act.generates && isEntitled(known, act) && !isSeen;
    return first ? { what: 'deleted', since: known.deleted } : null;
  }
  if (known.shown !== null || (isEntitled(known, act) && !act.generates)) return null;
  return { what: 'stored', since: known.stored };
}

/** True for the first deletion or cancel of a response by its maker. */
export function stops(known: Known, act: Act): boolean {
  const isFirst =
    (act.operation === 'responses.delete' && known.deleted === null) ||
    (act.operation === 'responses.cancel' && known.cancelled === null && known.ended === null);
  return isFirst && mayBeAskedAgain(known, act);
}

/** True if an answer may be stale: the maker sent the act, and the response was not aged. */
export function mayBeAskedAgain(known: Known, act: Act): boolean {
  return known.aged === null && isEntitled(known, act);
}
