import { type Exchange, expectValue, Inconclusive, inputTokens } from '../../harness/index.ts';

/**
 * What the last turn of a chain says. It is short: a gateway that reads the turn before it and none before
 * that loses a whole first turn, which is more than this adds unless the second answer is far longer than
 * the first.
 */
export const lastInput = 'Go on.';

/**
 * The counted input of each turn is more than that of the turn before, where it is sent. A usage that
 * counts nothing says nothing of what a turn has seen.
 *
 * @param chain what the turns belong to, in words
 */
export function expectGrowth(turns: readonly Exchange[], chain: string): void {
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
