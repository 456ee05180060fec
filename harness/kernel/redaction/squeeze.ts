/** Bytes that a copy keeps: all but white space and other breaks, or only letters and digits. */
export type Kept = 'all but breaks' | 'letters';

const backslash = 0x5c;
const openTag = 0x3c;

const [letter, mark, blank, special] = [0, 1, 2, 3];

/** Kind of each byte. For special ones, the following bytes decide if they break a text. */
const kinds = new Uint8Array(256).fill(mark);
for (let byte = 0; byte < 256; byte++) {
  const isLetter = byte >= 0x80 || /[A-Za-z0-9]/.test(String.fromCharCode(byte));
  if (isLetter) kinds[byte] = letter;
}
for (const byte of [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]) kinds[byte] = blank;
for (const byte of [backslash, openTag, 0xc2, 0xe2, 0xe3, 0xef]) kinds[byte] = special;

/**
 * Spaces, byte order marks and zero-width characters in UTF-8, and line breaks in the notation of JSON, source code
 * and HTML.
 */
const breaking =
  /^(?:\xc2[\x85\xa0\xad]|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81[\x9f-\xa4]|\xef\xbb\xbf|\xe3\x80\x80|\\[nrt\r\n]|<br ?\/?>)/i;

/** False for the two commonest special bytes where no break can follow: quotes in JSON, and most tags. */
function mayBreak(byte: number, next: number): boolean {
  if (byte === backslash) return jsonBreaks.has(next);
  return byte !== openTag || (next | 0x20) === 0x62;
}

const jsonBreaks = new Set(Buffer.from('nrtNRT\r\n'));

/**
 * Copies bytes without characters that break a text over lines, so that a wrapped key is contiguous in the copy.
 *
 * @param places receives the original position of each byte of the copy
 * @returns null if nothing breaks the text
 */
export function squeezed(bytes: Uint8Array, kept: Kept, places?: Uint32Array): Buffer | null {
  const copy = Buffer.allocUnsafe(bytes.length);
  const keepsMarks = kept === 'all but breaks';
  let length = 0;
  let isBroken = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    let kind = kinds[byte];
    if (kind === special) {
      const whole = mayBreak(byte, bytes[at + 1] ?? 0) ? breakAt(bytes, at) : 0;
      if (whole > 0) {
        isBroken = true;
        at += whole - 1;
        continue;
      }
      kind = byte >= 0x80 ? letter : mark;
    }
    if (kind === letter || (kind === mark && keepsMarks)) {
      if (places !== undefined) places[length] = at;
      copy[length++] = byte;
    } else if (kind === blank) isBroken = true;
  }
  return isBroken ? copy.subarray(0, length) : null;
}

/** Length of a break of several bytes, or 0. */
function breakAt(bytes: Uint8Array, at: number): number {
  const text = Buffer.from(bytes.subarray(at, at + 6)).toString('latin1');
  return breaking.exec(text)?.[0].length ?? 0;
}
