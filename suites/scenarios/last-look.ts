import {
  asksToGenerate,
  type CallOptions,
  contentOf,
  type Exchange,
  isRefused,
  isServed,
  judgeEach,
  responsesIn,
  scenario,
  turnsOf,
} from '../../harness/index.ts';
import { alternating, byKey, requestBody, responseIn } from './exchanges.ts';

type KnownResponse = ReturnType<ReturnType<typeof responsesIn>['get']> & object;

/** Last known state of a response: there, cancelled, deleted, not stored, or denied to others. */
type LastSeen = 'there' | 'cancelled' | 'deleted' | 'unstored' | 'denied';

export interface Look {
  readonly id: string;
  readonly seen: LastSeen;
  /** Last lookup that was served to the owner. */
  readonly before: Exchange | null;
  readonly now: Exchange;
}

/** A response to look up, with the key and the region of the lookup. */
interface Subject extends Omit<Look, 'now'> {
  readonly as: CallOptions;
}

/** Maximum number of lookups, shared equally between the states. */
const mostLooks = 250;

/**
 * Milliseconds to wait after the latest request about a stored response. A deleted response that reappears comes
 * back through a queue or another node, which takes time.
 */
const restMs = 1_000;

/**
 * Looks up all responses of a run again at its end. Lookups are free of charge, and show states that were reverted
 * or did not last.
 */
export const lastLook = scenario(
  'last-look',
  { last: true, cost: { requests: mostLooks, generations: 0, chain: 1 } },
  async (io) => {
    const sent = await io.sent();
    const subjects = alternating(subjectsIn(sent), ({ seen }) => seen).slice(0, mostLooks);
    const rest = restMs - (lastEnd(sent) - lastEnd(sent.filter(isAboutOne)));
    if (subjects.length > 0 && rest > 0) await io.pause(rest);
    const looks = subjects.map(async ({ as, ...subject }, n): Promise<Look> => {
      const now = await io.lane(`${n}`).responses.lookup(subject.id, as);
      return { ...subject, now };
    });
    return Promise.all(looks);
  },
);

function lastEnd(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((latest, { times }) => Math.max(latest, times.ended), 0);
}

function isAboutOne(exchange: Exchange): boolean {
  return exchange.about.protocol === 'responses' && responseIn(exchange) !== null;
}

/** Judges the looks with one last known state. */
export function judgeLooks(looks: readonly Look[], seen: LastSeen, judge: (look: Look) => void) {
  return judgeEach(
    looks.filter((look) => look.seen === seen),
    ({ id }) => id,
    judge,
    { noun: 'response' },
  );
}

function subjectsIn(sent: readonly Exchange[]): Subject[] {
  const responses = responsesIn(sent);
  const reads = readsIn(sent);
  const turns = turnsIn(sent);
  // No clause says that a response is stored if its request omits `store`.
  const kept = new Set(
    turns.filter((turn) => storeOf(turn) === true).map((one) => contentOf(one).id),
  );
  const unsure = perhapsDeleted(sent);
  const own = [...responses].flatMap(([id, known]): Subject[] => {
    const { by, aged, shown, denied } = known;
    const all = reads.get(id) ?? [];
    const as = { key: by.key, region: by.region };
    const before = all.findLast((one) => isLookup(one, as) && isServed(one)) ?? null;
    const seen = lastSeen(known, before);
    // Another check judges a response that was last denied to its owner.
    if (aged !== null || (seen === 'there' && (denied ?? 0) > (shown ?? 0))) return [];
    if (seen === 'deleted') return [{ id, seen, as, before }];
    const isKept = (seen === 'cancelled' || kept.has(id)) && !unsure.has(id);
    return [...(isKept ? [{ id, seen, as, before }] : []), ...foreign(id, known, all)];
  });
  return [...own, ...unstoredIn(turns, responses)];
}

/** Returns the ids of responses whose deletion was neither served nor refused, so that its effect is unknown. */
function perhapsDeleted(sent: readonly Exchange[]): ReadonlySet<string | null> {
  const deletions = sent.filter(({ about }) => about.operation === 'responses.delete');
  const open = deletions.filter((one) => !isServed(one) && !isRefused(one));
  return new Set(open.map(responseIn));
}

function lastSeen({ deleted, cancelled }: KnownResponse, before: Exchange | null): LastSeen {
  if (deleted !== null) return 'deleted';
  const isCancelled =
    cancelled !== null && before !== null && contentOf(before).ending === 'cancelled';
  return isCancelled ? 'cancelled' : 'there';
}

function isLookup({ about }: Exchange, { key, region }: CallOptions): boolean {
  return about.operation === 'responses.lookup' && about.key === key && about.region === region;
}

const reading: readonly string[] = [
  'responses.lookup',
  'responses.input-items',
  'responses.recover',
];

/** Returns the requests that read each response, by response id, in the order of their answers. */
function readsIn(sent: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> {
  const inTime = sent.toSorted((one, other) => one.times.ended - other.times.ended);
  return byKey(
    inTime.filter(({ about }) => reading.includes(about.operation)),
    (exchange) => [responseIn(exchange) ?? []].flat(),
  );
}

const otherKeys = ['otherUser', 'restricted'] as const;

/**
 * Returns looks with the credentials that were denied the response: another user, a key without its model, a
 * request through another region.
 */
function foreign(id: string, { by }: KnownResponse, reads: readonly Exchange[]): Subject[] {
  const tried = new Map<string, CallOptions>();
  for (const read of reads) {
    const { region } = read.about;
    const key = [by.key, ...otherKeys].find((one) => one === read.about.key);
    const isForeign = key !== undefined && (key !== by.key || region !== by.region);
    if (isForeign && isRefused(read)) tried.set(`${key} ${region}`, { key, region });
  }
  return [...tried.values()].map((as) => ({ id, seen: 'denied', as, before: null }));
}

/** Returns the responses of served requests with `store: false`. */
function unstoredIn(
  turns: readonly Exchange[],
  stored: ReadonlyMap<string, KnownResponse>,
): readonly Subject[] {
  return turns.flatMap((turn): Subject[] => {
    const id = contentOf(turn).id;
    if (id === null || stored.has(id) || storeOf(turn) !== false || !isServed(turn)) return [];
    return [{ id, seen: 'unstored', as: { region: turn.about.region }, before: null }];
  });
}

/** Returns the owner's generations over Responses, one exchange per turn. */
export function turnsIn(sent: readonly Exchange[]): readonly Exchange[] {
  return sent
    .filter(({ about }) => about.protocol === 'responses' && about.key === 'owner')
    .filter(({ about, socket }) => socket !== null || asksToGenerate(about))
    .flatMap(turnsOf);
}

function storeOf(turn: Exchange): unknown {
  return requestBody(turn)?.store;
}
