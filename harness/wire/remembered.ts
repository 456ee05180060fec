import type { Exchange } from '../core/exchange.ts';

/** What is read from an exchange that weighs no more is kept as long as the exchange is. */
const light = 64 * 1024;
/** What is read from heavier ones is kept of the latest, up to so much together: most are read one after another. */
const mostTogether = 16 * 1024 * 1024;
/** What it takes to keep a line or a value that was read, beside its text. */
const thingBytes = 64;

/** In the order in which they were read. They live as long as somebody else keeps them. */
const heavy = new Map<WeakRef<Exchange>, number>();
const areHeavy = new WeakSet<Exchange>();
let together = 0;
const forgetting: ((exchange: Exchange) => void)[] = [];

/**
 * Reads something from an exchange once, and keeps it while there is room: what a gateway sends may be read again,
 * and never has to be in memory as a whole.
 *
 * @param read pure: the same for the same exchange
 */
export function remembered<Value>(
  read: (exchange: Exchange) => Value,
): (exchange: Exchange) => Value {
  const known = new WeakMap<Exchange, { readonly value: Value }>();
  forgetting.push((exchange) => known.delete(exchange));
  return (exchange) => {
    const found = known.get(exchange);
    if (found !== undefined) return found.value;
    // What it is read from makes room for itself first.
    makeRoomFor(exchange);
    const value = read(exchange);
    known.set(exchange, { value });
    return value;
  };
}

function makeRoomFor(exchange: Exchange): void {
  if (areHeavy.has(exchange)) return;
  const weight = weightOf(exchange);
  if (weight <= light) return;
  areHeavy.add(exchange);
  heavy.set(new WeakRef(exchange), weight);
  together += weight;
  for (const [oldest, its] of heavy) {
    const still = oldest.deref();
    if (together <= mostTogether || still === exchange) return;
    heavy.delete(oldest);
    together -= its;
    if (still === undefined) continue;
    areHeavy.delete(still);
    for (const forget of forgetting) forget(still);
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

const weights = new WeakMap<Exchange, number>();

/** Bytes that what is read from it takes, more or less. */
function weightOf(exchange: Exchange): number {
  let weight = weights.get(exchange);
  if (weight === undefined) {
    const { response, socket } = exchange;
    const texts = [
      ...(response === null ? [] : [response.body]),
      ...(socket?.frames ?? []).map(({ data }) => data),
    ];
    weight = 0;
    for (const text of texts) weight += text.length + (1 + thingsIn(text)) * thingBytes;
    weights.set(exchange, weight);
  }
  return weight;
}
