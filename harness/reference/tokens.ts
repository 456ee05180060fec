const ofWord = /[\p{L}\p{N}\p{M}]/u;
const space = /\s/;

/** Kinds of characters in the tokenizer. */
const kinds = { unknown: 0, ofWord: 1, space: 2, mark: 3 } as const;

/** Cached kind of each UTF-16 unit. A regular expression for each letter would be too slow. */
const known = new Uint8Array(0x1_0000);

/** Returns the number of tokens in a text. A token is a word or a punctuation character, in every protocol. */
export function countTokens(text: string): number {
  let count = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    let kind = known[unit] ?? kinds.unknown;
    if (kind === kinds.unknown) {
      // The kind of a two-unit character applies to both units.
      const character = String.fromCodePoint(text.codePointAt(index) ?? unit);
      kind = kindOf(character);
      if (character.length === 1 && !isHalf(unit)) known[unit] = kind;
      index += character.length - 1;
    }
    if (kind === kinds.ofWord ? !isInWord : kind === kinds.mark) count++;
    isInWord = kind === kinds.ofWord;
  }
  return count;
}

function kindOf(character: string): number {
  if (ofWord.test(character)) return kinds.ofWord;
  return space.test(character) ? kinds.space : kinds.mark;
}

/** True if a unit may be one half of a surrogate pair. */
function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
