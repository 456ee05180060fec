import {
  byAnotherChannel,
  type Exchange,
  expectValue,
  inputTokens,
  listAt,
  NothingToJudge,
  nativeBody,
  textAt,
  tokenCount,
} from '../../harness/index.ts';

// Tolerances between token counts. All comparisons of counts use them, so that the permitted difference is
// decided once.

/** An answer may count the token that ends it, and its count may be an estimate: five in a hundred. */
function withinLimit(limit: number): number {
  return limit + 1 + limit / 20;
}

/**
 * Judges that a call has read no more than another: it counts no more, but for what two channels may differ.
 * Where either shows no count there is nothing to compare.
 *
 * @param room tokens more that say nothing yet, because what might have been read has many more
 */
export function expectNoMoreRead(read: Exchange, other: Exchange, room = 0): void {
  const [count, own] = [countedInput(read), countedInput(other)];
  if (count === null || own === null) return;
  const as = `counted input tokens, where the other request has ${own}`;
  const most = Math.floor(Math.max(byAnotherChannel(own), own + room));
  expectValue(count, { as, of: read }).toBeAtMost(most);
}

/** Returns the input tokens that a generation or a count shows, or null. */
export function countedInput(exchange: Exchange): number | null {
  return tokenCount(exchange) ?? inputTokens(exchange);
}

/** Judges the output that an answer counts: no more than its limit. */
export function expectWithinLimit(
  count: number,
  limit: number,
  about: { readonly as: string; readonly of: Exchange },
): void {
  expectValue(count, about).toBeAtMost(Math.floor(withinLimit(limit)));
}

/** True if an answer reached its limit, by its own count, and did not exceed it. */
export function isAtLimit(count: number | null, limit: number): boolean {
  return count !== null && count >= limit && count <= withinLimit(limit);
}

/**
 * Returns the fewest tokens that so many plain words have. Tokenizers split a text at its spaces before
 * they join letters, so a word is at least one token. A quarter is subtracted for tokenizers that join
 * frequent words, and for differences between two channels.
 */
export function fewestTokens(words: number): number {
  return (3 * words) / 4;
}

/**
 * A gateway that is asked to, or says that it did, leaves out or sums up earlier input: then the counts do
 * not show what was read.
 *
 * @throws {NothingToJudge} when an answer has `truncation: auto`, or holds a compaction
 */
export function notApplicableUnlessReadWhole(answers: readonly Exchange[]): void {
  for (const answer of answers) {
    const body = nativeBody(answer);
    if (textAt(body, 'truncation') === 'auto') {
      throw new NothingToJudge(
        'the response has `truncation: auto`: it may leave out earlier turns',
      );
    }
    if (listAt(body, 'output').some((item) => textAt(item, 'type') === 'compaction')) {
      throw new NothingToJudge('the response holds a compaction of earlier turns');
    }
  }
}
