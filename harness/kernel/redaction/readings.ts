import { decode } from './decode.ts';
import { Fragments } from './fragments.ts';
import { Masked } from './maskable.ts';

const [mostReadings, longest] = [200, 65_536];

/** Runs of hexadecimal digits and of base64, in both alphabets, as long as a short word in them. */
const packed = /(?:[0-9a-f]{2}){10,}|[A-Za-z0-9+/_-]{14,}/gi;

/** A string of JSON: the name of a member, or a value. */
const strings = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;

/**
 * Returns what a text says in other letters than its own, in any order of encodings: its escapes, entities and
 * percent-encoding decoded, its hexadecimal digits and base64 unpacked, and strings joined over which it is split.
 */
export function readingsOf(text: string): readonly string[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = new Set([text.slice(0, longest)]);
  // The loop comes to what it adds, too.
  for (const one of found) {
    for (const reading of found.size < mostReadings ? readOnce(one) : []) found.add(reading);
  }
  const readings = [...found].slice(1);
  if (readings.reduce((sum, { length }) => sum + length, text.length) > mostLetters)
    return readings;
  if (known.size >= mostKnown) known.clear();
  known.set(text, readings);
  return readings;
}

/** Readings of short texts: several rows read an answer one after another, and most headers recur. */
const known = new Map<string, readonly string[]>();
const [mostKnown, mostLetters] = [500, 16_384];

function readOnce(text: string): string[] {
  const bytes = Buffer.from(text);
  const fragments = new Fragments();
  if (text.includes('"')) fragments.read(new Masked(bytes));
  const values = [...text.matchAll(strings)].filter(([, , name]) => name === undefined);
  return [
    decode(bytes)?.bytes.toString() ?? text,
    ...fragments.texts().map((joined) => Buffer.from(joined.bytes).toString()),
    values.map(([, value]) => value).join(''),
    // Base64 of a mail has line ends, which JSON escapes.
    ...(text.replaceAll(/\\[rn]/g, '').match(packed) ?? []).flatMap(unpackedFrom),
  ];
}

/** Unpacks a run at each position in a group of four digits, because a name may stand before it. */
function unpackedFrom(run: string): string[] {
  return [
    Buffer.from(run, 'hex'),
    ...[0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64')),
  ]
    .map((bytes) => bytes.toString())
    .filter((read) => /[^\p{C}\ufffd]{10}/u.test(read));
}
