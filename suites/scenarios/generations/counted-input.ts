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

/** Total number of words of the earlier turns. */
export const earlierWords = wordsOfTexts.firstTurn + wordsOfTexts.firstAnswer;

/** Joins all long texts of a run. */
export function longText({ firstTurn, firstAnswer, system }: LongTexts): string {
  return [firstTurn, firstAnswer, system].join(' ');
}

export const longTextWords = earlierWords + wordsOfTexts.system;

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
  const [all, own] = [longer, short].map((one) => tokenCount(one) ?? promptTokens(one));
  if (all == null || own == null) throw new NothingToJudge('no count of the input is shown');
  if (all === 0 || own === 0) throw new Inconclusive('no token of the input is counted', short);
  const as = `tokens of the input beyond those of a short request, for ${words} words more`;
  expectValue(all - own, { as, of: longer }).toBeMoreThan(fewestTokens(words));
}

/**
 * Last turn of a chain. A short text reveals a gateway that reads only the previous turn: dropping the first turn
 * loses more tokens than this text adds, unless the second answer is far longer than the first.
 */
export const shortTurn = 'Go on.';

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
    const tokens = inputTokens(turn);
    if (tokens === null) continue;
    if (tokens === 0) throw new Inconclusive('the usage counts no token of the input', turn);
    const as = `usage.input_tokens of turn ${n + 1} of ${chain}`;
    expectValue(tokens, { as, of: turn }).toBeMoreThan(before);
    before = tokens;
  }
}
