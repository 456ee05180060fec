/**
 * Makes a gateway's text safe for a terminal or a log: control characters and characters that change the writing
 * direction are escaped. Line ends and tabs remain.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' || character === '\t' ? character : inHexadecimal(character),
    );
}

function inHexadecimal(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
