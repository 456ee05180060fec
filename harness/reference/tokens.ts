const token = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

/** How many tokens a text has. A token is a word or a piece of punctuation, in every protocol. */
export function countTokens(text: string): number {
  let count = 0;
  token.lastIndex = 0;
  while (token.test(text)) count++;
  return count;
}
