const token = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

/** How many tokens a text has. A token is a word or a piece of punctuation, in every protocol. */
export function countTokens(text: string): number {
  const plain = countPlain(text);
  if (plain !== null) return plain;
  let count = 0;
  token.lastIndex = 0;
  while (token.test(text)) count++;
  return count;
}

/** The same of a text in ASCII, which most are, and which is counted at little cost; null of any other. */
function countPlain(text: string): number | null {
  let count = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return null;
    const isOfWord =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x30 && code <= 0x39);
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d);
    if (isOfWord ? !isInWord : !isSpace) count++;
    isInWord = isOfWord;
  }
  return count;
}
