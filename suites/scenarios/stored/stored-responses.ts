import {
  answerOf,
  assumeServed,
  type CallOptions,
  type Capability,
  type Cost,
  contentOf,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  idOf,
  json,
  mostPolls,
  NothingToJudge,
  type Scenario,
  scenario,
  type Target,
  type View,
  view,
} from '../../../harness/index.ts';
import { assumeDistinctIds, present } from '../exchanges.ts';

/** Returns the output limit of a long run, which applies if nothing stops the run. */
export function longRunLimit({ limits }: Target): number {
  return limits.longRunTokens;
}

/**
 * Returns a request for a generation that still runs when the next request arrives, even over a slow connection.
 * Scenarios stop it, so most of its tokens are never generated. The prompt asks for as many words as the limit
 * allows: a token is about three quarters of a word.
 *
 * @param share fraction of these words, for a shorter run
 */
export function longRun(name: string, { target, text }: Pick<Io, 'target' | 'text'>, share = 1) {
  const limit = longRunLimit(target);
  const words = Math.round(0.75 * limit * share);
  return { input: text(words, name), max_output_tokens: limit };
}

/**
 * Returns the id of a long run.
 *
 * @throws {Inconclusive} without one: a model may refuse so high a limit
 */
export function idOfLongRun(created: Exchange): string {
  const refused = [400, 422].includes(created.response?.status ?? 0);
  return idOf(created, refused ? whereLimited : '');
}

const whereLimited =
  'where the model takes no such output limit, set `limits.longRunTokens` of the target file to its maximum';

/** Returns the output limit of runs that are interrupted, unless the model cannot generate that much. */
export function longLimit({ limits }: Target): number {
  return Math.min(Math.max(256, limits.maxOutputTokens), limits.longRunTokens);
}

/** Reason why a check of stopping a long run is undecided. */
export const endedTooSoon =
  'the run ended while it was being stopped: raise `limits.longRunTokens`, by which longer texts are asked for, or name a model that works longer';

/** Reason why a check of stopping a run has nothing to judge. */
const endedAtOnce =
  'the run ended by itself within a round trip or two, so that nothing was left to stop; a higher `limits.longRunTokens` asks for longer texts';

/** Statuses of a run that ended by itself. */
export const endedByItself: readonly unknown[] = ['completed', 'incomplete'];

/**
 * Skips a run that ended by itself before the next request arrived: no gateway could have stopped it.
 *
 * @param seen the first lookup of the run
 */
export function notApplicableOnceEnded(seen: Exchange | null): void {
  if (seen !== null && endedByItself.includes(contentOf(seen).ending))
    throw new NothingToJudge(endedAtOnce);
}

/**
 * Returns the error for a run that ended while it was being stopped. If the stop took no longer than a few lookups,
 * the run ended by itself. Otherwise the gateway may have waited for its end.
 *
 * @param before the lookup just before
 */
export function endedMeanwhile(before: Exchange, stop: Exchange): NothingToJudge | Inconclusive {
  const tookLonger = durationOf(stop) > 3 * durationOf(before);
  return tookLonger ? new Inconclusive(endedTooSoon, stop) : new NothingToJudge(endedAtOnce);
}

export function durationOf({ times }: Exchange): number {
  return times.ended - times.started;
}

/** Shorter ids may be sequential, so a neighbouring id may well exist. */
const least = 8;

/**
 * Returns an unused response id in the form of a real one. It keeps the prefix, such as `resp_`, and the kind of
 * each character, and shifts letters and digits. A short id becomes longer.
 */
export function unknownLike(id: string): string {
  const prefix = /^.*_(?=.{8,}$)/s.exec(id)?.[0] ?? /^[a-z]+[_-](?=.)/i.exec(id)?.[0] ?? '';
  const tail = id.slice(prefix.length);
  const moved = tail.replace(/[0-9a-z]/gi, movedOn);
  const changed = [...moved].filter((character, at) => character !== tail[at]).length;
  if (changed === 0) return `${prefix}${tail}${'q'.repeat(least)}`;
  return prefix + (changed < least ? moved.repeat(Math.ceil((2 * least) / changed)) : moved);
}

function movedOn(character: string): string {
  const alphabet = /\d/.test(character) ? '0123456789' : 'abcdef';
  const lower = character.toLowerCase();
  const place = alphabet.indexOf(lower);
  // Hexadecimal digits stay hexadecimal; other letters have no kind to keep.
  const next = place < 0 ? 'q' : (alphabet[(place + 3) % alphabet.length] ?? 'q');
  return character === lower ? next : next.toUpperCase();
}

/** A response with its id, and a word that occurs only in its input. */
export interface Subject {
  readonly id: string;
  readonly secret: string;
}

/** A stored response, as its creation showed it. */
export interface Stored extends Subject {
  readonly created: Exchange;
  readonly input: string;
}

/** Least output limit of the native API. */
export const leastLimit = 16;

/**
 * A stored response for `assumeDistinctIds`, which needs far more than its limit. A server with one constant answer
 * stores nothing, but would pass every check that looks at only one response.
 */
export const witness = creation('stored/witness', [], async (io) => {
  const secret = io.word();
  const body = { input: io.text(400, secret), max_output_tokens: leastLimit, store: true };
  return { created: await io.responses.create(body), input: body.input, secret };
});

/** Starts a background response that is long enough to be found running. */
export function runningResponse(name: string): View<Stored> {
  const create = async (io: Io) => {
    const secret = io.word();
    const body = { ...longRun(secret, io), store: true, background: true };
    return { created: await io.responses.create(body), input: body.input, secret };
  };
  return identified(creation(name, ['background'], create, true), idOfLongRun);
}

/** Creates a background response whose events are read to the end, and remain stored. It may have no id. */
export function streamedInBackground(name: string): Scenario<Omit<Stored, 'id'>> {
  return creation(name, recoverableBy, async (io) => {
    const { secret, input } = shortInput(io);
    const created = await io.responses.stream({ input, store: true, background: true });
    return { created, input, secret };
  });
}

const recoverableBy = ['background', 'stream:responses'] as const;

/** Creates a response, whose exchange is captured for any outcome. */
function creation(
  name: string,
  supports: readonly Capability[],
  create: (io: Io) => Promise<Omit<Stored, 'id'>>,
  goesOn = false,
): Scenario<Omit<Stored, 'id'>> {
  const limitAt = (target: Target) => (goesOn ? { outputTokens: longRunLimit(target) } : {});
  return scenario(
    name,
    {
      needs: { model: { speaks: 'responses', supports } },
      expires: goesOn,
      cost: (target) => ({ requests: 1, generations: 1, ...limitAt(target) }),
    },
    create,
  );
}

/**
 * Returns a created response for scenarios that continue by its id. A missing id makes them undecided, because
 * another check judges it.
 */
export function identified(
  created: Scenario<Omit<Stored, 'id'>>,
  id: (created: Exchange) => string = idOf,
): View<Stored> {
  return view({ made: created, witness }, ({ made, witness: other }) => {
    assumeDistinctIds([made.created], [other.created]);
    return { ...made, id: id(made.created) };
  });
}

function shortInput({ sentence, topic, word }: Io): Pick<Stored, 'secret' | 'input'> {
  const secret = word();
  return { secret, input: sentence(topic(), secret) };
}

/** A stored response that may be deleted, because no other check reads it. */
const disposable = identified(witness);

/** Cancels a foreground response, which must be refused, before the response is deleted. */
export const foregroundCancelled = scenario(
  'stored/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({ subject, attempt: await responses.cancel(subject.id) }),
);

/** The cancelled response, and a continuation of it, which is to outlive it. */
export const continuedOnce = scenario(
  'stored/continued-once',
  { after: { tried: foregroundCancelled }, cost: { requests: 1, generations: 1, continues: 1 } },
  async ({ responses }, { tried: { subject } }) => ({
    subject,
    child: await responses.create({ previous_response_id: subject.id, store: true }),
  }),
);

/** A stored response whose other requests are done. */
export const toBeDeleted: View<Stored> = view(
  { continuedOnce },
  ({ continuedOnce: { subject } }) => subject,
);

/**
 * Text that faulty storage alters easily: letters beyond ASCII and beyond 16 bits, markup, quotation marks,
 * escapes, line ends and inner space. Only the compatibility normal forms of Unicode change it, and these are
 * unsuitable for storage.
 */
const fragile =
  'Żółw & Bär, 東京, Ελλάδα: 🦊 <b>bold &amp; "quoted"</b>, it\'s \\n and %20,\n\n  indented\tby a tab; ';

/** Longer than the excerpts in logs and previews. */
const longAndFragile = fragile.repeat(12);

/** A stored response whose input is one long text. */
export const keptText = scenario(
  'stored/kept-text',
  {
    needs: { model: { speaks: 'responses' } },
    cost: { requests: 1, generations: 1 },
  },
  async ({ responses, word }) => {
    const text = `Say hello, and nothing of what follows: ${longAndFragile}${word()}`;
    return { text, created: await responses.create({ input: text, store: true }) };
  },
);

/** Statuses of a run that has not ended. */
export const running: readonly unknown[] = ['queued', 'in_progress'];

export const terminal: readonly unknown[] = ['completed', 'incomplete', 'failed', 'cancelled'];

/** Returns the cost of one poll and some further requests. */
export function pollsAnd(more: number) {
  return (target: Target): Cost => {
    const polls = mostPolls(target);
    return { requests: polls + more, spare: polls - 1, generations: 0 };
  };
}

/** Polls a response until it ends, a lookup is not served, or the deadline passes. */
export function pollToTheEnd(
  { responses, poll }: Io,
  id: string,
  as: CallOptions = {},
): Promise<Exchange[]> {
  return poll(
    () => responses.lookup(id, as),
    (answer) => terminal.includes(contentOf(answer).ending) || answer.response?.status !== 200,
  );
}

/**
 * Returns the last of the lookups.
 *
 * @throws {Inconclusive} if it shows a run that has not ended
 */
export function lastOf(lookups: readonly Exchange[]): Exchange {
  const last = present(lookups.at(-1), 'lookup');
  if (!running.includes(contentOf(last).ending)) return last;
  throw new Inconclusive(
    `the run went on when patience ended (\`limits.patienceMs\`); its states: ${[...new Set(lookups.map((one) => contentOf(one).ending))].join(', ')}`,
    last,
  );
}

/**
 * Returns the last answer to a request that has to be refused. No source says that a gateway validates a background
 * request before accepting it, so an accepted one is looked up until it ends.
 *
 * @param as key and region of the lookups: the user who would own the response, with a key that may use its model
 * @param lane lane of the lookups; by default concurrent with everything else
 */
export async function finalAnswer(
  io: Io,
  asked: Exchange,
  as: CallOptions,
  lane: Io = io.lane('accepted'),
): Promise<Exchange> {
  const id = json.text(answerOf(asked).value, 'id');
  if (id === null || !running.includes(contentOf(asked).ending)) return asked;
  return present((await pollToTheEnd(lane, id, as)).at(-1), 'lookup');
}

/**
 * Judges a request that has to be refused: it is refused, or accepted and then failed without text. A response
 * object with status `failed` and an error is a documented form in any answer.
 *
 * @param secret words that the answer must not show
 */
export function expectNotServed(
  attempt: Exchange,
  control: readonly Exchange[],
  secret: readonly string[] = [],
): void {
  if (attempt.about.operation !== 'responses.lookup' && contentOf(attempt).ending !== 'failed') {
    expect(attempt).toBeDenied({ secret, control });
    return;
  }
  assumeServed(control);
  const status = contentOf(lastOf([attempt])).ending;
  if (status !== 'failed') assumeServed(attempt);
  const as = 'status of what was accepted, and had to be refused';
  expectValue(status, { as, of: attempt }).toEqual('failed');
  expectValue(contentOf(attempt).text, { as: 'its text', of: attempt }).toEqual('');
  expect(attempt).toShowNoneOf(secret);
}
