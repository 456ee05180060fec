import {
  contentOf,
  decoded,
  type Exchange,
  isRefused,
  prose,
  remembered,
  type WholeRun,
} from '../../harness/index.ts';
import { byKey, distinctive, onceFor } from '../scenarios/exchanges.ts';
import { answerObjects } from './answers.ts';

// Content of other requests that an answer may show: only that of the exchanges that it builds on.

interface Content {
  /** Own words of all requests of the run. */
  readonly known: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  /** Number of different prompts that were answered with a text. */
  readonly prompts: number;
  /** Exchanges that returned each id. */
  readonly givers: ReadonlyMap<string, readonly Exchange[]>;
  readonly allowed: Map<Exchange, ReadonlySet<string>>;
}

const contentIn = onceFor(({ exchanges }: WholeRun): Content => {
  const written = exchanges.filter((exchange) => contentOf(exchange).text !== '');
  const prompts = new Set(written.map((exchange) => [...ownWords(exchange)].sort().join(' ')));
  return {
    known: new Set(exchanges.flatMap((exchange) => [...ownWords(exchange)])),
    texts: new Set(written.map((one) => contentOf(one).text)),
    prompts: prompts.size,
    givers: byKey(exchanges, idsIn),
    allowed: new Map(),
  };
});

/** Returns the different generated texts. A server with a constant answer proves nothing. */
export function differentTexts(run: WholeRun): ReadonlySet<string> {
  return contentIn(run).texts;
}

/** Returns the number of different prompts that were answered with a text. */
export function answeredPrompts(run: WholeRun): number {
  return contentIn(run).prompts;
}

/** Returns the words of other requests that an answer shows. */
export function foreignWords(exchange: Exchange, run: WholeRun): readonly string[] {
  const { known } = contentIn(run);
  const own = ownWords(exchange);
  const others = [...wordsShown(exchange)].filter(
    (word) => known.has(word) && !own.has(word) && !isAskedWith(exchange, word),
  );
  if (others.length === 0 || keepsOut(exchange)) return others;
  const allowed = allowedWords(exchange, run);
  return others.filter((word) => !allowed.has(word));
}

/**
 * True for a denial that must not show any content that its request names. Any other error may quote to its user
 * the content that the same user has sent before.
 */
function keepsOut(exchange: Exchange): boolean {
  if (!isRefused(exchange)) return false;
  const isOwner = exchange.about.key === 'owner' || exchange.about.key === 'sameUser';
  return !isOwner || exchange.response?.status === 404;
}

/**
 * Returns the words of a request and of everything that it builds on: responses, items, calls and compactions, by
 * their ids.
 */
function allowedWords(exchange: Exchange, run: WholeRun): ReadonlySet<string> {
  const { givers, allowed } = contentIn(run);
  const known = allowed.get(exchange);
  if (known !== undefined) return known;
  const words = new Set(ownWords(exchange));
  allowed.set(exchange, words);
  for (const id of new Set(requestText(exchange).match(anyId))) {
    for (const giver of givers.get(id) ?? []) {
      if (giver === exchange || giver.times.started > exchange.times.ended) continue;
      for (const word of allowedWords(giver, run)) words.add(word);
    }
  }
  return words;
}

/** Matches any word in a request that may be an id. */
const anyId = /[\w-]{6,}/g;

export const requestText = onceFor(({ request, socket }: Exchange): string => {
  const decoder = new TextDecoder();
  const frames = socket?.frames.filter(({ from }) => from === 'us') ?? [];
  const sent = [request.body ?? new Uint8Array(), ...frames.map(({ data }) => data)];
  return [decoded(request.url), ...sent.map((data) => decoder.decode(data))].join('\n');
});

const wordsShown = remembered(
  (exchange): ReadonlySet<string> =>
    new Set([...prose.textsIn(exchange)].flatMap(prose.inventedWords)),
);

/** True if a request itself holds a text, in any letters. */
export function isAskedWith(exchange: Exchange, text: string): boolean {
  const sent = requestText(exchange);
  return [sent, ...prose.readingsOf(sent)].some((one) =>
    one.toLowerCase().includes(text.toLowerCase()),
  );
}

const ownWords = remembered(
  (exchange): ReadonlySet<string> => new Set(prose.inventedWords(requestText(exchange))),
);

const isIdName = /(^|_)id$|Id$|^encrypted_content$|^cursor$/;

/** Returns the ids in an answer at any depth, and values that represent content like an id. */
function idsIn(exchange: Exchange): ReadonlySet<string> {
  const ids = new Set<string>();
  // A work list instead of recursion, because a hostile body may be nested deeper than the call stack allows.
  const left: unknown[] = [...answerObjects(exchange)];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    for (const [name, member] of Object.entries(Object(value))) {
      if (typeof member === 'object' && member !== null) left.push(member);
      else if (typeof member === 'string' && isIdName.test(name)) {
        for (const id of member.match(anyId) ?? []) ids.add(id);
      }
    }
  }
  return ids;
}

const generatedPieces = onceFor((run: WholeRun) => piecesOf(differentTexts(run)));

/** Returns a piece of generated text that an answer shows although its request does not contain it, or null. */
export function generatedPiece(exchange: Exchange, run: WholeRun): string | null {
  for (const piece of shownPieces(exchange, generatedPieces(run))) {
    if (!isAskedWith(exchange, piece)) return piece;
  }
  return null;
}

/** Returns pieces of texts that cannot recur by chance. */
export function piecesOf(texts: Iterable<string>): ReadonlySet<string> {
  return new Set([...texts].flatMap((text) => [...piecesIn(text, 4)]));
}

/** Yields those of the pieces that an answer shows, in any letters. */
export function* shownPieces(exchange: Exchange, pieces: ReadonlySet<string>): Generator<string> {
  for (const text of prose.textsIn(exchange, true)) {
    for (const piece of piecesIn(text, 1)) if (pieces.has(piece)) yield piece;
  }
}

function* piecesIn(text: string, every: number): Generator<string> {
  for (let from = 0; from + distinctive <= text.length; from += every) {
    yield text.slice(from, from + distinctive);
  }
}
