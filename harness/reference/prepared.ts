import type { StreamEvent } from './dialect.ts';
import type { JsonObject } from './json.ts';

/** Stand in a template where each event has its own text, and its own number. */
const ownText = '\u0001';
const ownNumber = '\u0002';

/**
 * Events that differ in a text, and perhaps in a number: what they have in common is written once.
 *
 * @param dataOf what an event has; called with {@link ownText} and {@link ownNumber} for what is written once
 */
export function preparedEvents(
  name: string | null,
  dataOf: (text: string, number: number | string) => JsonObject,
): (text: string, number?: number) => StreamEvent {
  const [beforeNumber, afterNumber] = halves(JSON.stringify(dataOf(ownText, ownNumber)), ownNumber);
  const [before, after] = halves(afterNumber ?? beforeNumber, ownText);
  // Without a place of its own for the text, it is written with the rest.
  const isPrepared = after !== undefined;
  const start = afterNumber === undefined ? null : beforeNumber;
  return (text, number = 0) => {
    const data = dataOf(text, number);
    if (!isPrepared) return { name, data };
    const head = start === null ? before : start + number + before;
    return new PreparedEvent(name, data, head + JSON.stringify(text) + after);
  };
}

/** An event that is the same in many streams. */
export function preparedEvent(name: string | null, data: JsonObject): PreparedEvent {
  return new PreparedEvent(name, data, JSON.stringify(data));
}

/** What stands before and after the only place of a mark; the whole where there is not one place. */
function halves(text: string, mark: string): readonly [string, string?] {
  const [before = '', after, ...others] = text.split(JSON.stringify(mark));
  return after === undefined || others.length > 0 ? [text] : [before, after];
}

/** An event whose data has been written. A copy of it, with whatever change, is an event like any other. */
export class PreparedEvent implements StreamEvent {
  readonly name: string | null;
  readonly data: JsonObject;
  readonly #text: string;

  constructor(name: string | null, data: JsonObject, text: string) {
    this.name = name;
    this.data = data;
    this.#text = text;
  }

  /** JSON text of its data. */
  get text(): string {
    return this.#text;
  }
}
