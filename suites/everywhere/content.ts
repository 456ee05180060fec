import {
  decoded,
  type Exchange,
  generatedText,
  inventedWords,
  isRefused,
  remembered,
  shownWords,
  textsIn,
  type WholeRun,
} from '../../harness/index.ts';
import { distinctive } from '../scenarios/exchanges.ts';
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

const contents = new WeakMap<WholeRun, Content>();

function contentIn(run: WholeRun): Content {
  let content = contents.get(run);
  if (content === undefined) {
    const givers = new Map<string, Exchange[]>();
    for (const exchange of run.exchanges) {
      for (const id of idsIn(exchange)) {
        const known = givers.get(id);
        if (known === undefined) givers.set(id, [exchange]);
        else known.push(exchange);
      }
    }
    const written = run.exchanges.filter((exchange) => generatedText(exchange) !== '');
    const prompts = new Set(written.map((exchange) => [...ownWords(exchange)].sort().join(' ')));
    content = {
      known: new Set(run.exchanges.flatMap((exchange) => [...ownWords(exchange)])),
      texts: new Set(written.map(generatedText)),
      prompts: prompts.size,
      givers,
      allowed: new Map(),
    };
    contents.set(run, content);
  }
  return content;
}

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
  const others = [...shownWords(exchange)].filter((word) => known.has(word) && !own.has(word));
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

const requestTexts = new WeakMap<Exchange, string>();

/** Returns everything that was sent, as text. */
export function requestText(exchange: Exchange): string {
  let text = requestTexts.get(exchange);
  if (text === undefined) {
    const { request, socket } = exchange;
    const decoder = new TextDecoder();
    const frames = socket?.frames.filter(({ from }) => from === 'us') ?? [];
    const sent = [request.body ?? new Uint8Array(), ...frames.map(({ data }) => data)];
    text = [decoded(request.url), ...sent.map((data) => decoder.decode(data))].join('\n');
    requestTexts.set(exchange, text);
  }
  return text;
}

const ownWords = remembered(
  (exchange): ReadonlySet<string> => new Set(inventedWords(requestText(exchange))),
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

const step = 4;

const piecesOf = new WeakMap<WholeRun, ReadonlySet<string>>();

/** Returns a piece of generated text that an answer shows although its request does not contain it, or null. */
export function generatedPiece(exchange: Exchange, run: WholeRun): string | null {
  let pieces = piecesOf.get(run);
  if (pieces === undefined) {
    pieces = new Set([...differentTexts(run)].flatMap((text) => [...piecesIn(text, step)]));
    piecesOf.set(run, pieces);
  }
  for (const text of textsIn(exchange)) {
    for (const piece of piecesIn(text, 1)) {
      if (pieces.has(piece) && !requestText(exchange).includes(piece)) return piece;
    }
  }
  return null;
}

function* piecesIn(text: string, every: number): Generator<string> {
  for (let from = 0; from + distinctive <= text.length; from += every) {
    yield text.slice(from, from + distinctive);
  }
}
