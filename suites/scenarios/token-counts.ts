import {
  assumeServed,
  byAnotherChannel,
  type Exchange,
  expectValue,
  Inconclusive,
  json,
  NothingToJudge,
  nativeBody,
  tokenCounts,
} from '../../harness/index.ts';

// Tolerances between token counts. All comparisons of counts use them, so that one place defines the permitted
// difference.

/** Allows for the end token, and for an estimated count: five percent. */
function withinLimit(limit: number): number {
  return limit + 1 + limit / 20;
}

/**
 * Judges that a call has read no more than another: it counts no more tokens, within the tolerance for two
 * channels. Passes if either shows no count.
 *
 * @param room additional tokens that prove nothing yet, because the content in question has many more
 */
export function expectNoMoreRead(read: Exchange, other: Exchange, room = 0): void {
  const [count, own] = [countedInput(read), countedInput(other)];
  if (count === null || own === null) return;
  const most = Math.floor(Math.max(byAnotherChannel(own), own + room));
  expectValue(count, { as: 'counted input tokens', of: read }).toBe(
    `at most ${most}, where the other request has ${own}`,
    (value) => Number(value) <= most,
  );
}

/** Judges that several requests with one conversation count no more input tokens than two channels may. */
export function expectSameCount(counts: readonly number[], of: Exchange): void {
  const most = byAnotherChannel(Math.min(...counts));
  const as = `input tokens of ${counts.length} requests with the same conversation`;
  expectValue([...new Set(counts)], { as, of }).toBe(
    `numbers that two channels may count: at most ${most}`,
    () => Math.max(...counts) <= most,
  );
}

/** Returns the input tokens that a generation or a count shows, or null. */
export function countedInput(exchange: Exchange): number | null {
  return tokenCounts.result(exchange) ?? tokenCounts.input(exchange);
}

/** Judges that the reported output does not exceed its limit. */
export function expectWithinLimit(
  count: number,
  limit: number,
  about: { readonly as: string; readonly of: Exchange },
): void {
  expectValue(count, about).toBeAtMost(Math.floor(withinLimit(limit)));
}

/** True if an answer reached its limit by its own count, and did not exceed it. */
export function isAtLimit(count: number | null, limit: number): boolean {
  return count !== null && count >= limit && count <= withinLimit(limit);
}

/**
 * Returns the minimum number of tokens for a number of plain words. Tokenizers split a text at its spaces before
 * they merge letters, so a word is at least one token. A quarter is subtracted for tokenizers that merge frequent
 * words, and for differences between two channels.
 */
export function fewestTokens(words: number): number {
  return (3 * words) / 4;
}

/**
 * Skips answers whose input the gateway truncated or summarized, on request or by its own statement: their counts
 * do not show the input that was read.
 *
 * @throws {NothingToJudge} if an answer has `truncation: auto`, or holds a compaction
 */
export function notApplicableUnlessReadWhole(answers: readonly Exchange[]): void {
  for (const answer of answers) {
    const body = nativeBody(answer);
    if (json.text(body, 'truncation') === 'auto') {
      throw new NothingToJudge(
        'the response has `truncation: auto`: it may leave out earlier turns',
      );
    }
    if (json.list(body, 'output').some((item) => json.text(item, 'type') === 'compaction')) {
      throw new NothingToJudge('the response holds a compaction of earlier turns');
    }
  }
}

/**
 * Judges that the token count of a longer request exceeds that of a short one in proportion to its additional
 * words.
 *
 * @param words number of words that only the longer request has
 */
export function expectCounted(words: number, longer: Exchange, short: Exchange): void {
  assumeServed([longer, short]);
  notApplicableUnlessReadWhole([longer, short]);
  expectMoreCounted(words, longer, short);
}

/** Like `expectCounted`, for calls whose answers need not show what was read, such as a compaction. */
export function expectMoreCounted(words: number, longer: Exchange, short: Exchange): void {
  assumeServed([longer, short]);
  const [all, own] = [longer, short].map(
    (one) => tokenCounts.result(one) ?? tokenCounts.prompt(one),
  );
  if (all == null || own == null) throw new NothingToJudge('no count of the input is shown');
  if (all === 0 || own === 0) throw new Inconclusive('no token of the input is counted', short);
  const as = `tokens of the input beyond those of a short request, for ${words} words more`;
  expectValue(all - own, { as, of: longer }).toBeMoreThan(fewestTokens(words));
}

/**
 * Judges that the counted input grows with each turn. A usage of zero proves nothing about the input that a turn
 * has read.
 *
 * @param chain name of the chain, for messages
 */
export function expectGrowth(turns: readonly Exchange[], chain: string): void {
  notApplicableUnlessReadWhole(turns);
  let before = 0;
  for (const [n, turn] of turns.entries()) {
    const tokens = tokenCounts.input(turn);
    if (tokens === null) continue;
    if (tokens === 0) throw new Inconclusive('the usage counts no token of the input', turn);
    const as = `usage.input_tokens of turn ${n + 1} of ${chain}`;
    expectValue(tokens, { as, of: turn }).toBeMoreThan(before);
    before = tokens;
  }
}
