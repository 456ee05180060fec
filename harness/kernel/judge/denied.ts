import { cutLine, type Exchange } from '../core/index.ts';
import { answerOf, contentOf } from '../protocols/index.ts';
import { readingsOf } from '../redaction/index.ts';
import { headerValues, text } from '../wire/index.ts';
import { type Judged, no, yes } from './judged.ts';
import { type RefusedOptions, refused } from './refused.ts';
import { isServed } from './served.ts';

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
  for (const text of textsIn(exchange, true)) {
    const lower = text.toLowerCase();
    for (const word of words) {
      const place = word === '' ? -1 : lower.indexOf(word.toLowerCase());
      if (place < 0) continue;
      const around = cutLine(text.slice(Math.max(0, place - 60), place + 100));
      return `an answer that shows stored content, “${word}”: ${around}`;
    }
  }
  return null;
}

/**
 * Yields all text of an answer: headers, body, frames, and the text of joined fragments. If `isDecoded`, which no
 * served answer is by itself, also what they say in other letters.
 */
export function* textsIn(exchange: Exchange, isDecoded = !isServed(exchange)): Generator<string> {
  const headers = exchange.response?.headers.map((line) => line.join(': ')) ?? [];
  const read = text(exchange);
  const body = read.ok ? read.value : new TextDecoder().decode(exchange.response?.body);
  const answer = answerOf(exchange);
  const frames = exchange.socket === null ? [] : answer.events.map(({ data }) => data);
  const texts = [...headers, body, ...frames, exchange.socket?.close?.reason ?? ''];
  yield* texts;
  yield contentOf(exchange).text;
  // Escapes hide words from a search of the bytes.
  if (answer.form === 'json' && body.includes('\\')) yield JSON.stringify(answer.value);
  if (!isDecoded) return;
  const values = headers.map((line) => line.replace(/^.*?: /, '')).join('');
  for (const one of [...texts, values, frames.join('\n')]) yield* readingsOf(one);
}
