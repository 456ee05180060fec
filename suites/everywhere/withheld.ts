import {
  contentOf,
  type Exchange,
  isCarriedOut,
  isServed,
  json,
  NothingToJudge,
  permittedKeys,
  prose,
  responsesIn,
  type WholeRun,
} from '../../harness/index.ts';
import { byKey, createdIn, onceFor, requestBody, responseIn } from '../scenarios/exchanges.ts';
import { isAskedWith, piecesOf, requestText, shownPieces } from './content.ts';

/** Reasons for which a request must not be shown the content of a response that it names. */
export type Withheld = 'no-key' | 'other-user' | 'restricted' | 'deleted' | 'expired' | 'unstored';

/** Content of a response, and what decides who may read it. */
interface ShelvedResponse {
  /** Generation that made it: an HTTP request, or one turn of a WebSocket. */
  readonly made: Exchange;
  readonly model: string | null;
  readonly isStored: boolean;
  /** Milliseconds since the start of the run; null if it was not deleted. */
  readonly deleted: number | null;
  /** When it was told to be older than the retention; null if it was not. */
  readonly expired: number | null;
  /** Words that its request made up. */
  readonly words: ReadonlySet<string>;
  /** Pieces of its text that cannot recur by chance. */
  readonly pieces: ReadonlySet<string>;
}

interface Shelf {
  readonly responses: ReadonlyMap<string, ShelvedResponse>;
  /** Response of each output item, by the id of the item. */
  readonly items: ReadonlyMap<string, string>;
  /** True if a read by the owner showed a generated text. */
  readonly isReadable: boolean;
}

const shelfOf = onceFor((run: WholeRun): Shelf => {
  const known = responsesIn(run.exchanges);
  const expired = expiredIn(run);
  const reads = readsIn(run);
  const responses = new Map<string, ShelvedResponse>();
  const items = new Map<string, string>();
  for (const made of createdIn(run)) {
    const id = contentOf(made).id;
    if (id === null || made.about.protocol !== 'responses' || !isServed(made)) continue;
    const isStored = json.at(requestBody(made), 'store') !== false;
    // Several responses with one id, or none that is known to be stored: nothing is known of its content.
    if (responses.has(id) || (isStored && !known.has(id))) continue;
    const { deleted = null } = known.get(id) ?? {};
    responses.set(id, {
      ...{ made, isStored, deleted },
      model: json.text(requestBody(made), 'model'),
      expired: expired.get(id) ?? null,
      words: new Set(prose.inventedWords(requestText(made))),
      pieces: piecesOf([made, ...(reads.get(id) ?? [])].map((one) => contentOf(one).text)),
    });
    for (const item of contentOf(made).items) {
      const name = json.text(item, 'id');
      if (name !== null) items.set(name, id);
    }
  }
  const isReadable = [...reads.values()].flat().some((read) => contentOf(read).text !== '');
  return { responses, items, isReadable };
});

/** Returns the served reads of each response with the owner's key, by response id. */
function readsIn({ exchanges }: WholeRun): ReadonlyMap<string, readonly Exchange[]> {
  return byKey(exchanges, (exchange) => {
    const id = exchange.about.key === 'owner' ? responseIn(exchange) : null;
    return id !== null && contentOf(exchange).id === id && isServed(exchange) ? [id] : [];
  });
}

/** Returns when each response was told to be older than the retention, by its id. */
function expiredIn({ exchanges, target }: WholeRun): ReadonlyMap<string, number> {
  const expired = new Map<string, number>();
  for (const exchange of exchanges) {
    if (exchange.about.operation !== 'probes.clock' || !isCarriedOut(exchange)) continue;
    const body = requestBody(exchange);
    const id = json.text(body, 'response_id');
    const seconds = json.number(body, 'age_seconds');
    if (id === null || seconds === null) continue;
    if (seconds >= target.retentionDays * 86_400 && !expired.has(id)) {
      expired.set(id, exchange.times.ended);
    }
  }
  return expired;
}

const userOf: Readonly<Record<string, string>> = {
  ...{ owner: 'owner', sameUser: 'owner', restricted: 'owner' },
  otherUser: 'another',
};

const isWithheld: Readonly<
  Record<Withheld, (exchange: Exchange, one: ShelvedResponse, run: WholeRun) => boolean>
> = {
  'no-key': ({ about }, _, { target }) =>
    target.keys.owner !== undefined &&
    about.beside === undefined &&
    (about.key === 'none' || about.key === 'unknown'),
  'other-user': ({ about }, { made }) => {
    const [user, owner] = [userOf[about.key], userOf[made.about.key]];
    return user !== undefined && owner !== undefined && user !== owner;
  },
  restricted: (exchange, one, { target }) => {
    const { key } = exchange.about;
    const model = target.models.find(({ id }) => id === one.model);
    if (model === undefined || userOf[key] !== userOf[one.made.about.key]) return false;
    // No clause says whose permission counts where a continuation names another model.
    const named = json.text(requestBody(exchange), 'model') ?? one.model;
    return named === one.model && !permittedKeys(model).some((permitted) => permitted === key);
  },
  deleted: ({ times }, { deleted }) => deleted !== null && times.started >= deleted,
  expired: ({ times }, { expired }) => expired !== null && times.started >= expired,
  // The history of a connection is available on it.
  unstored: (exchange, { made, isStored }) => !isStored && exchange.id !== made.id,
};

/** Returns the responses that a request names: in its path, as what it continues, or by their items. */
function namedIn(exchange: Exchange, { items }: Shelf): readonly string[] {
  const body = requestBody(exchange);
  const references = json
    .list(body, 'input')
    .filter((item) => json.text(item, 'type') === 'item_reference')
    .map((item) => items.get(json.text(item, 'id') ?? ''));
  const named = [responseIn(exchange), json.text(body, 'previous_response_id'), ...references];
  return [...new Set(named.filter((id) => id != null))];
}

/** Operations whose answers show a stored text, and generate none. */
const reading: readonly string[] = ['lookup', 'input-items', 'recover', 'cancel', 'delete'].map(
  (name) => `responses.${name}`,
);

/**
 * Returns the content that an answer shows although a reason forbids it, or null.
 *
 * @throws {NothingToJudge} if the request names no response that is withheld for the reason
 */
export function withheldIn(exchange: Exchange, reason: Withheld, run: WholeRun): string | null {
  const shelf = shelfOf(run);
  const named = namedIn(exchange, shelf).flatMap((id) => shelf.responses.get(id) ?? []);
  const withheld = named.filter((one) => isWithheld[reason](exchange, one, run));
  if (withheld.length === 0) throw new NothingToJudge('it names nothing that is withheld from it');
  const shown = shownIn(exchange, withheld);
  if (shown === null) {
    if (!shelf.isReadable) throw new NothingToJudge('no read by the owner showed a text');
  } else if (reason === 'deleted' && !withheld.some((one) => isDue(exchange, one, run))) {
    throw new NothingToJudge('another node may not know of the deletion yet');
  }
  return shown;
}

function isDue({ times }: Exchange, { deleted }: ShelvedResponse, { target }: WholeRun): boolean {
  return times.started >= (deleted ?? 0) + target.limits.consistencyMs;
}

function shownIn(exchange: Exchange, withheld: readonly ShelvedResponse[]): string | null {
  const reads = reading.includes(exchange.about.operation);
  const shown = new Set([...prose.textsIn(exchange, true)].flatMap(prose.inventedWords));
  for (const { words, pieces } of withheld) {
    for (const word of shown) if (words.has(word) && !isAskedWith(exchange, word)) return word;
    // A generation may say by chance what another one has said.
    const [piece] = reads && pieces.size > 0 ? shownPieces(exchange, pieces) : [];
    if (piece !== undefined && !isAskedWith(exchange, piece)) return piece;
  }
  return null;
}
