import type { StreamEvent } from './dialect.ts';
import type { JsonObject } from './json.ts';

/** Placeholders in a template for the text and the number of each event, and the id of its subject. */
const marks = { text: '\u0001', number: '\u0002', id: '\u0003' } as const;

type Mark = keyof typeof marks;

/** Returns the data of an event. In the template, the number is a text. */
type DataOf = (text: string, number: number | string, id: string) => JsonObject;

/**
 * Returns a factory of events that differ only in a text and possibly a number and an id; their common part is
 * serialized once.
 */
export function preparedEvents(
  name: string | null,
  dataOf: DataOf,
): (text: string, number?: number, id?: string) => StreamEvent {
  const [first = '', ...others] = JSON.stringify(dataOf(marks.text, marks.number, marks.id)).split(
    /"\\u000([123])"/,
  );
  // Each mark is followed by the constant text up to the next mark.
  const parts: [Mark, string][] = [];
  for (let at = 0; at < others.length; at += 2) {
    const mark = others[at] === '1' ? 'text' : others[at] === '2' ? 'number' : 'id';
    parts.push([mark, others[at + 1] ?? '']);
  }
  return (text, number = 0, id = '') =>
    new PreparedEvent(
      name,
      () => dataOf(text, number, id),
      () => {
        let written = first;
        for (const [mark, after] of parts) {
          const own = mark === 'number' ? number : JSON.stringify(mark === 'text' ? text : id);
          written += own + after;
        }
        return written;
      },
    );
}

/** Returns an event that many streams have in common. */
export function preparedEvent(name: string | null, data: JsonObject): PreparedEvent {
  const text = JSON.stringify(data);
  return new PreparedEvent(
    name,
    () => data,
    () => text,
  );
}

/** Object that is built on first access, and whose JSON text is available at lower cost. */
export class Written {
  readonly #make: () => JsonObject;
  readonly #write: () => string;

  constructor(make: () => JsonObject, write: () => string) {
    this.#make = make;
    this.#write = write;
  }

  get data(): JsonObject {
    return this.#make();
  }

  get text(): string {
    return this.#write();
  }

  /** Lets `JSON.stringify` write the object even in code that does not know about prepared texts. */
  toJSON(): JsonObject {
    return this.data;
  }
}

/**
 * Event that is written without building its data, which are built on first access. To change one, create `{ name,
 * data }`, because a spread copy has no data.
 */
export class PreparedEvent extends Written implements StreamEvent {
  readonly name: string | null;

  constructor(name: string | null, make: () => JsonObject, write: () => string) {
    super(make, write);
    this.name = name;
  }
}
