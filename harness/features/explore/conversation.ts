import { type Act, neededBy } from './history.ts';
import type { Sent } from './perform.ts';

/**
 * Returns the acts that an act's response continues, nearest first: the act that created it, and all acts before that.
 */
export function conversationOf(act: Act, sent: ReadonlyMap<number, Sent>): readonly Sent[] {
  const makers: Sent[] = [];
  for (let n = neededBy(act); n !== null; ) {
    const maker = sent.get(n);
    if (maker === undefined) break;
    makers.push(maker);
    n = neededBy(maker.act);
  }
  return makers;
}

/** Returns the words of the conversation, in the order in which they were sent. */
export function wordsOf(act: Act, sent: ReadonlyMap<number, Sent>): readonly string[] {
  return conversationOf(act, sent)
    .toReversed()
    .flatMap(({ words }) => words);
}
