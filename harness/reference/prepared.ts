import type { StreamEvent } from './dialect.ts';
import type { JsonObject } from './json.ts';

/** Stand in a template where each event has its own text, its own number, and the id of what it is about. */
const marks = { text: '\u0001', number: '\u0002', id: '\u0003' } as const;

type Mark = keyof typeof marks;

/** Returns the data of an event. In the template, the number is a text. */
type DataOf = (text: string, number: number | string, id: string) => JsonObject;

/**
 * Events that differ in a text, and perhaps in a number and an id: what they have in common is written once.
 */
export function preparedEvents(
  name: string | null,
  dataOf: DataOf,
): (text: string, number?: number, id?: string) => StreamEvent {
  const [first = '', ...others] = JSON.stringify(dataOf(marks.text, marks.number, marks.id)).split(
    /"\\u000([123])"/,
  );
  // Behind each mark stands what is the same up to the next one.
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

/** An event that is the same in many streams. */
export function preparedEvent(name: string | null, data: JsonObject): PreparedEvent {
  const text = JSON.stringify(data);
  return new PreparedEvent(
    name,
    () => data,
    () => text,
  );
}

/** An object that is made when somebody looks at it, and whose JSON text can be had for less. */
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
 * An event that is written without its data, which are made when somebody looks at them. Make another one of
 * them with whatever change, `{ name, data }`: a spread copy of this one has none.
 */
export class PreparedEvent extends Written implements StreamEvent {
  readonly name: string | null;

  constructor(name: string | null, make: () => JsonObject, write: () => string) {
    super(make, write);
    this.name = name;
  }
}
