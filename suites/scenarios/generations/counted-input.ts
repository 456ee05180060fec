import {
  assumeServed,
  type Exchange,
  expectValue,
  Inconclusive,
  inputTokens,
  type LongTexts,
  NothingToJudge,
  promptTokens,
  type SaidTurn,
  tokenCount,
  wordsOfTexts,
} from '../../../harness/index.ts';
import { fewestTokens, notApplicableUnlessReadWhole } from '../token-counts.ts';

/** Returns the first turn of a conversation and the answer to it. */
export function earlierTurns({ firstTurn, firstAnswer }: LongTexts): readonly SaidTurn[] {
  return [
    { by: 'user', texts: [firstTurn] },
    { by: 'model', texts: [firstAnswer] },
  ];
}

/** Number of words of both together. */
export const earlierWords = wordsOfTexts.firstTurn + wordsOfTexts.firstAnswer;

/** All long texts of a run, one behind the other. */
export function longText({ firstTurn, firstAnswer, system }: LongTexts): string {
  return [firstTurn, firstAnswer, system].join(' ');
}

/** Number of words of `longText`. */
export const longTextWords = earlierWords + wordsOfTexts.system;

/**
 * A usage, or a count, has about as many tokens more than that of a short request as the request has words more.
 *
 * @param words that the request has and the short one has not
 */
export function expectCounted(words: number, longer: Exchange, short: Exchange): void {
  assumeServed([longer, short]);
  notApplicableUnlessReadWhole([longer, short]);
  expectMoreCounted(words, longer, short);
}

/** Like `expectCounted`, for calls whose answers need not show what was read, such as a compaction. */
export function expectMoreCounted(words: number, longer: Exchange, short: Exchange): void {
  assumeServed([longer, short]);
  const [all, own] = [longer, short].map((one) => tokenCount(one) ?? promptTokens(one));
  if (all == null || own == null) throw new NothingToJudge('no count of the input is shown');
  if (all === 0 || own === 0) throw new Inconclusive('no token of the input is counted', short);
  const as = `tokens of the input beyond those of a short request, for ${words} words more`;
  expectValue(all - own, { as, of: longer }).toBeMoreThan(fewestTokens(words));
}

/**
 * Last turn of a chain. It is short, so that a gateway shows if it reads the turn before it and none before
 * that: it then loses a whole first turn, which is more than this adds unless the second answer is far
 * longer than the first.
 */
export const shortTurn = 'Go on.';

/**
 * The counted input of each turn is more than that of the turn before, where it is sent. A usage that
 * counts nothing says nothing of what a turn has seen.
 *
 * @param chain what the turns belong to, in words
 */
export function expectGrowth(turns: readonly Exchange[], chain: string): void {
  notApplicableUnlessReadWhole(turns);
  let before = 0;
  for (const [n, turn] of turns.entries()) {
    const tokens = inputTokens(turn);
    if (tokens === null) continue;
    if (tokens === 0) throw new Inconclusive('the usage counts no token of the input', turn);
    const as = `usage.input_tokens of turn ${n + 1} of ${chain}`;
    expectValue(tokens, { as, of: turn }).toBeMoreThan(before);
    before = tokens;
  }
}
