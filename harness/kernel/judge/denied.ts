import { cutLine, type Exchange } from '../core/index.ts';
import { answerOf, generatedText, streamEvents } from '../protocols/index.ts';
import { headerValues, text } from '../wire/index.ts';
import { type Judged, no, yes } from './judged.ts';
import { type RefusedOptions, refused } from './refused.ts';

export interface DeniedOptions extends RefusedOptions {
  /** Words that stand in the stored content and nowhere else. */
  readonly secret: readonly string[];
  /** Base URL of the region that made the response: to be sent there is no answer of this one. */
  readonly home?: string | undefined;
}

export const aDenial = 'a denial: a refusal (4xx) that shows nothing of the stored content';

/** Denied: refused, and no word of the stored content anywhere in the answer. */
export function denied(exchange: Exchange, options: DeniedOptions): Judged {
  const shows = shownOf(exchange, options.secret);
  if (shows !== null) return no(shows);
  return isSentTo(exchange, options.home) ? yes : refused(exchange, options);
}

/** A redirect that keeps the method, to below this base URL. */
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

/** The first of the words that the answer shows, with what stands around it. */
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

/** All text of an answer: headers, body, frames, and what is only found once fragments are joined. */
export function* textsIn(exchange: Exchange): Generator<string> {
  for (const [name, value] of exchange.response?.headers ?? []) yield `${name}: ${value}`;
  const read = text(exchange);
  const body = read.ok ? read.value : new TextDecoder().decode(exchange.response?.body);
  yield body;
  const answer = answerOf(exchange);
  if (exchange.socket !== null) for (const { data } of streamEvents(exchange)) yield data;
  yield exchange.socket?.close?.reason ?? '';
  yield generatedText(exchange);
  // Escapes hide words from a search of the bytes.
  if (answer.form === 'json' && body.includes('\\')) yield JSON.stringify(answer.value);
}
