import { cutLine, type Exchange } from '../core/index.ts';
import { answerOf, contentOf } from '../protocols/index.ts';
import { headerValues, text } from '../wire/index.ts';
import { type Judged, no, yes } from './judged.ts';
import { type RefusedOptions, refused } from './refused.ts';

export interface DeniedOptions extends RefusedOptions {
  /** Words that only the stored content contains. */
  readonly secret: readonly string[];
  /** Base URL of the region that made the response. A redirect there counts as a denial. */
  readonly home?: string | undefined;
}

export const aDenial = 'a denial: a refusal (4xx) that shows nothing of the stored content';

/** Judges a denial: refused, without any word of the stored content in the answer. */
export function denied(exchange: Exchange, options: DeniedOptions): Judged {
  const shows = shownOf(exchange, options.secret);
  if (shows !== null) return no(shows);
  return isSentTo(exchange, options.home) ? yes : refused(exchange, options);
}

/** True for a redirect that keeps the method and leads below this base URL. */
function isSentTo(exchange: Exchange, home: string | undefined): boolean {
  const { status } = exchange.response ?? {};
  if (home === undefined || (status !== 307 && status !== 308)) return false;
  const [location = ''] = headerValues(exchange, 'location');
  return URL.canParse(location) && new URL(location).href.startsWith(new URL(`${home}/`).href);
}

/** Returns the secret word that the answer shows, in a sentence, or null if it shows none of them. */
export function shownOf(exchange: Exchange, words: readonly string[]): string | null {
  const leaked = leak(exchange, words);
  if (leaked === null) return null;
  return `an answer that shows stored content, “${leaked.word}”: ${cutLine(leaked.around)}`;
}

/** Returns the first of the words that the answer shows, with its context. */
function leak(
  exchange: Exchange,
  words: readonly string[],
): { readonly word: string; readonly around: string } | null {
  for (const text of textsIn(exchange)) {
    const lower = text.toLowerCase();
    for (const word of words) {
      const place = word === '' ? -1 : lower.indexOf(word.toLowerCase());
      if (place >= 0) return { word, around: text.slice(Math.max(0, place - 60), place + 100) };
    }
  }
  return null;
}

/** Yields all text of an answer: headers, body, frames, and the text of joined fragments. */
export function* textsIn(exchange: Exchange): Generator<string> {
  for (const [name, value] of exchange.response?.headers ?? []) yield `${name}: ${value}`;
  const read = text(exchange);
  const body = read.ok ? read.value : new TextDecoder().decode(exchange.response?.body);
  yield body;
  const answer = answerOf(exchange);
  if (exchange.socket !== null) for (const { data } of answerOf(exchange).events) yield data;
  yield exchange.socket?.close?.reason ?? '';
  yield contentOf(exchange).text;
  // Escapes hide words from a search of the bytes.
  if (answer.form === 'json' && body.includes('\\')) yield JSON.stringify(answer.value);
}
