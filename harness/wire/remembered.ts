import type { Exchange } from '../core/index.ts';

/** What is read from an exchange that weighs no more is kept as long as the exchange is. */
const light = 64 * 1024;
/** What is read from heavier ones is kept of the latest, up to so much together: most are read one after another. */
const mostTogether = 16 * 1024 * 1024;
/** What it takes to keep a line or a value that was read, beside its text. */
const thingBytes = 64;

/** What was read from an exchange. */
interface Memory {
  /** By the numbers of those who read; undefined: not yet. */
  values: unknown[];
  /** Bytes that it takes, more or less. */
  readonly weight: number;
  /** It is among those of which only the latest are kept. */
  isCounted: boolean;
}

/** Lives as long as somebody else keeps the exchange. */
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
    // What it is read from makes room for itself first.
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

/** By byte: whether it stands before a line, a member or a value. */
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
