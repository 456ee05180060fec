interface Decoded {
  readonly bytes: Buffer;
  /** Returns the start of the encoding of the byte at `at` in the encoded bytes. */
  source(at: number): number;
}

/** Named HTML entities that stand for ASCII characters, each with its character. */
const entities = new Map(
  [
    "amp& apos' ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! grave` gt> Hat^ lbrace{ lbrack[ lcub{",
    'lowbar_ lpar( lsqb[ lt< num# percnt% period. plus+ quest? quot" rbrace} rbrack] rcub} rpar) rsqb] semi;',
    'sol/ UnderBar_ verbar| vert|',
  ]
    .flatMap((line) => line.split(' '))
    .map((one) => [one.slice(0, -1), one.charCodeAt(one.length - 1)]),
);

const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;

/** Table by byte: 1 if it may begin an encoded character. */
const begins = new Uint8Array(256);
for (const byte of [backslash, percent, ampersand, 0]) begins[byte] = 1;

/** Table by byte: value of a hexadecimal digit, or 16. */
const digits = new Uint8Array(256).fill(16);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Code of a byte that begins no encoded character. */
const none = -1;

/**
 * Decodes one layer of encoding: the escapes of JSON strings, source code, Markdown and logs (`\u002B`, `\u{2B}`,
 * `\U0000002B`, `\x2B`, `\053`, `\"`), percent-encoding (`%2B`, `%u002B`), HTML and XML entities, and the zero
 * bytes of ASCII in UTF-16.
 *
 * @returns null if nothing is encoded
 */
export function decode(encoded: Uint8Array): Decoded | null {
  if (!mayBeEncoded(encoded)) return null;
  const bytes = Buffer.allocUnsafe(encoded.length);
  const length = decodeInto(encoded, bytes, null);
  if (length === encoded.length) return null;
  let starts: Uint32Array | null = null;
  return {
    bytes: bytes.subarray(0, length),
    source(at) {
      // Decoding is repeated for the positions on demand, because most texts have no match and need none.
      starts ??= startsIn(encoded, length);
      return starts[at] ?? encoded.length;
    },
  };
}

function mayBeEncoded(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (begins[bytes[at] ?? 0] === 1) return true;
  return false;
}

function startsIn(encoded: Uint8Array, length: number): Uint32Array {
  const starts = new Uint32Array(length + 1);
  decodeInto(encoded, null, starts);
  starts[length] = encoded.length;
  return starts;
}

/** @returns number of decoded bytes. Equal to the number of encoded bytes only if nothing is encoded */
function decodeInto(encoded: Uint8Array, bytes: Buffer | null, starts: Uint32Array | null): number {
  let length = 0;
  const put = (byte: number, start: number): void => {
    if (bytes !== null) bytes[length] = byte;
    if (starts !== null) starts[length] = start;
    length++;
  };
  for (let at = 0; at < encoded.length; ) {
    const byte = encoded[at] ?? 0;
    if (begins[byte] === 0) {
      put(byte, at++);
      continue;
    }
    const next = encoded[at + 1] ?? 0;
    let code: number = none;
    let taken = 1;
    /** True if the code is that of a byte and not of a character. */
    let isByte = true;
    if (byte === 0) {
      at++;
      continue;
    } else if (byte === percent) {
      const isWide = next === 0x75 || next === 0x55;
      code = isWide ? hexadecimal(encoded, at + 2, 4) : hexadecimal(encoded, at + 1, 2);
      taken = isWide ? 6 : 3;
      isByte = !isWide;
    } else if (byte === ampersand) {
      const entity = entityAt(encoded, at);
      if (entity !== null) ({ code, taken } = entity);
      isByte = false;
    } else if (next === 0x75) {
      ({ code, taken } = braced(encoded, at + 2) ?? {
        code: hexadecimal(encoded, at + 2, 4),
        taken: 6,
      });
      isByte = false;
    } else if (next === 0x55) {
      code = hexadecimal(encoded, at + 2, 8);
      if (code > 0x10ffff) code = none;
      taken = 10;
      isByte = false;
    } else if (next >= 0x30 && next <= 0x33) {
      code = octal(encoded, at + 1);
      taken = 4;
    } else if (next === 0x78) {
      code = hexadecimal(encoded, at + 2, 2);
      taken = 4;
    } else if (isPunctuation(next)) {
      code = next;
      taken = 2;
    }
    if (code === none) put(byte, at++);
    else {
      if (isByte || code < 0x80) put(code, at);
      else for (const one of Buffer.from(String.fromCodePoint(code))) put(one, at);
      at += taken;
    }
  }
  return length;
}

/** True if JSON, Markdown or a shell may escape this character with a backslash. */
function isPunctuation(byte: number): boolean {
  return (
    (byte >= 0x21 && byte <= 0x2f) ||
    (byte >= 0x3a && byte <= 0x40) ||
    (byte >= 0x5b && byte <= 0x60) ||
    (byte >= 0x7b && byte <= 0x7e)
  );
}

function hexadecimal(encoded: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = digits[encoded[at] ?? 0] ?? 16;
    if (digit === 16) return none;
    value = value * 16 + digit;
  }
  return value;
}

/** Reads three octal digits. */
function octal(encoded: Uint8Array, from: number): number {
  let value = 0;
  for (let at = from; at < from + 3; at++) {
    const digit = (encoded[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return none;
    value = value * 8 + digit;
  }
  return value;
}

/** Reads `{2B}` after `\\u`. Null if there is none. */
function braced(encoded: Uint8Array, from: number): { code: number; taken: number } | null {
  if (encoded[from] !== 0x7b) return null;
  const text = String.fromCharCode(...encoded.subarray(from, from + 8));
  const [whole, digits = ''] = /^\{([0-9a-f]{1,6})\}/i.exec(text) ?? [];
  const code = Number.parseInt(digits, 16);
  return whole === undefined || code > 0x10ffff ? null : { code, taken: whole.length + 2 };
}

function entityAt(encoded: Uint8Array, at: number): { code: number; taken: number } | null {
  const text = String.fromCharCode(...encoded.subarray(at, at + 12));
  const found = /^&(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(\w{2,8}));/i.exec(text);
  if (found === null) return null;
  const [{ length }, decimal, hex, name = ''] = found;
  if (decimal === undefined && hex === undefined) {
    const code = entities.get(name);
    return code === undefined ? null : { code, taken: length };
  }
  const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
  return code > 0x10ffff ? null : { code, taken: length };
}
