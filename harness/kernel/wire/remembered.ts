import type { Exchange } from '../core/index.ts';

/** Exchanges up to this weight keep the values read from them for as long as they exist. */
const light = 64 * 1024;
/**
 * Total weight of the heavier exchanges whose values are kept, the latest ones: most are read one after
 * another.
 */
const mostTogether = 16 * 1024 * 1024;
/** Estimated memory of a line or value, in addition to its text. */
const thingBytes = 64;

/** Values that were read from an exchange. */
interface Memory {
  /** Values by the number of their reader; undefined until they are read. */
  values: unknown[];
  /** Bytes that it takes, more or less. */
  readonly weight: number;
  /** True if only the latest memories of this kind are kept. */
  isCounted: boolean;
}

/** Memories of exchanges, which live as long as their exchange is referenced elsewhere. */
const memories = new WeakMap<Exchange, Memory>();
/** The weights of those that are counted, in the order in which they were read. */
const heavy = new Map<WeakRef<Memory>, number>();
let together = 0;
let readers = 0;

/**
 * Reads something from an exchange once, and keeps it while there is room: what a gateway sends may be read again,
 * and never has to be in memory as a whole.
 *
 * @param read pure: the same for the same exchange
 */
export function remembered<Value extends NonNullable<unknown> | null>(
  read: (exchange: Exchange) => Value,
): (exchange: Exchange) => Value {
  const number = readers++;
  return (exchange) => {
    const memory = memoryOf(exchange);
    // Under its number is what it has read itself.
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
    still.values = [];
  }
}

/** Table by byte: 1 if a line, a member or a value may follow it. */
const begins = new Uint8Array(256);
for (const one of '\n,:[{') begins[one.charCodeAt(0)] = 1;

/** Lines, members and values, more or less: what stands in texts is counted, too. */
function thingsIn(text: Uint8Array): number {
  let things = 0;
  for (let at = 0; at < text.length; at++) things += begins[text[at] ?? 0] ?? 0;
  return things;
}

/** Bytes that what is read from it takes, more or less. */
function weightOf({ response, socket }: Exchange): number {
  const texts = [
    ...(response === null ? [] : [response.body]),
    ...(socket?.frames ?? []).map(({ data }) => data),
  ];
  return texts.reduce((sum, text) => sum + text.length + (1 + thingsIn(text)) * thingBytes, 0);
}
