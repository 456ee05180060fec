import {
  assumeServed,
  type Exchange,
  expectValue,
  Inconclusive,
  inputTokens,
  NothingToJudge,
  promptTokens,
  type SaidTurn,
  tokenCount,
} from '../../../harness/index.ts';
import { fewestTokens, notApplicableUnlessReadWhole } from '../token-counts.ts';

// What stands in a request besides its last turn is long, so that the usage shows whether it was read.

/** The first turn of the user. */
export const firstTurn =
  'My name is Ada, and I live in a small house by the river. In my garden I grow apples, ' +
  'pears and plums, and in the spring there are many flowers along the wall. My brother ' +
  'comes to see me every Sunday, and we drink tea under the old tree and talk about the ' +
  'books that we have read in the week before.';

/** The answer to it. */
export const firstAnswer =
  'Nice to meet you, Ada. Your garden by the river sounds like a good place to sit and to ' +
  'read. Apples, pears and plums need sun and a little care, and the flowers along the ' +
  'wall will bring the bees that they need. I hope that your brother likes the tea, and ' +
  'that the old tree gives you both a lot of shade in the summer.';

/** Both, as turns of a conversation. */
export const earlierTurns: readonly SaidTurn[] = [
  { by: 'user', texts: [firstTurn] },
  { by: 'model', texts: [firstAnswer] },
];

/** A system prompt. */
export const systemText =
  'You help people who keep a garden by a river. Give short and friendly answers, and use ' +
  'plain words that a child can read. Say what to do first and why it helps, and leave out ' +
  'what is not needed. When you do not know the answer, say so, and name a person who may ' +
  'know it, such as a neighbour who has had a garden for many years.';

/**
 * A usage, or a count, has about as many tokens more than that of a short request as the request has words more.
 *
 * @param further what the request has and the short one has not
 */
export function expectCounted(further: readonly string[], longer: Exchange, short: Exchange): void {
  assumeServed([longer, short]);
  notApplicableUnlessReadWhole([longer, short]);
  const [all, own] = [longer, short].map((one) => tokenCount(one) ?? promptTokens(one));
  if (all == null || own == null) throw new NothingToJudge('no count of the input is shown');
  if (all === 0 || own === 0) throw new Inconclusive('no token of the input is counted', short);
  const words = further.join(' ').split(' ').length;
  const as = `tokens of the input beyond those of a short request, for ${words} words more`;
  expectValue(all - own, { as, of: longer }).toBeMoreThan(fewestTokens(words));
}

/**
 * What the last turn of a chain says. It is short: a gateway that reads the turn before it and none before
 * that loses a whole first turn, which is more than this adds unless the second answer is far longer than
 * the first.
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
