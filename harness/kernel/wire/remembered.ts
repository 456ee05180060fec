import type { Exchange } from '../core/index.ts';

/** Exchanges up to this weight keep the values read from them for as long as they exist. */
const light = 64 * 1024;
/**
 * Maximum total weight of heavier exchanges whose values are kept. The latest ones are kept, because most exchanges
 * are read one after another.
 */
const mostTogether = 16 * 1024 * 1024;
/** Estimated memory of a line or value, in addition to its text. */
const thingBytes = 64;

interface Memory {
  /** Values by reader number. Undefined until they are read. */
  values: unknown[];
  /** Estimated memory in bytes. */
  readonly weight: number;
  /** True if the memory counts towards the total bound. */
  isCounted: boolean;
}

/** Values by exchange, which live as long as the exchange is referenced elsewhere. */
const memories = new WeakMap<Exchange, Memory>();
/** Weights of the counted memories, in reading order. */
const heavy = new Map<WeakRef<Memory>, number>();
let together = 0;
let readers = 0;

/**
 * Caches a value that is read from an exchange while there is room. An evicted value is read again, so a gateway's
 * data never has to be in memory as a whole. Strings, numbers, booleans and null stay: readers return short ones.
 *
 * @param read a pure function
 */
export function remembered<Value extends NonNullable<unknown> | null>(
  read: (exchange: Exchange) => Value,
): (exchange: Exchange) => Value {
  const number = readers++;
  return (exchange) => {
    const memory = memoryOf(exchange);
    // A reader only stores values of its own type under its number.
    const found = memory.values[number] as Value | undefined;
    if (found !== undefined) return found;
    // Room is made before the exchange is read.
    if (memory.weight > light && !memory.isCounted) makeRoomFor(memory);
    const value = read(exchange);
    memory.values[number] = value;
    return value;
  };
}

function memoryOf(exchange: Exchange): Memory {
  let memory = memories.get(exchange);
  if (memory === undefined) {
    memory = { values: [], weight: weightOf(exchange), isCounted: false };
    memories.set(exchange, memory);
  }
  return memory;
}

function makeRoomFor(memory: Memory): void {
  memory.isCounted = true;
  heavy.set(new WeakRef(memory), memory.weight);
  together += memory.weight;
  for (const [oldest, weight] of heavy) {
    const still = oldest.deref();
    if (together <= mostTogether || still === memory) return;
    heavy.delete(oldest);
    together -= weight;
    if (still === undefined) continue;
    still.isCounted = false;
    still.values = still.values.map((value) =>
      typeof value === 'object' && value !== null ? undefined : value,
    );
  }
}

/** Table by byte: 1 if a line, a member or a value may follow it. */
const begins = new Uint8Array(256);
for (const one of '\n,:[{') begins[one.charCodeAt(0)] = 1;

/** Approximate number of lines, members and values. Delimiters inside of strings count, too. */
function thingsIn(text: Uint8Array): number {
  let things = 0;
  for (let at = 0; at < text.length; at++) things += begins[text[at] ?? 0] ?? 0;
  return things;
}

/** Approximate memory of the values read from an exchange, in bytes. */
function weightOf({ response, socket }: Exchange): number {
  const texts = [
    ...(response === null ? [] : [response.body]),
    ...(socket?.frames ?? []).map(({ data }) => data),
  ];
  const bytes = texts.reduce((sum, { length }) => sum + length, 0);
  const most = bytes + (texts.length + bytes) * thingBytes;
  // Most answers are too short to be heavy, whatever is in them.
  if (most <= light) return most;
  return texts.reduce((sum, text) => sum + (1 + thingsIn(text)) * thingBytes, bytes);
}
