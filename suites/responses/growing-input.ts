import { type Exchange, expectValue, Inconclusive, inputTokens } from '../../harness/index.ts';

/**
 * The counted input of each turn is more than that of the turn before, where it is sent. A usage that
 * counts nothing says nothing of what a turn has seen.
 *
 * @param chain what the turns belong to, in words
 */
export function mustGrow(turns: readonly Exchange[], chain: string): void {
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
