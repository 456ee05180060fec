import {
  answerId,
  assumeServed,
  type Exchange,
  findingsOf,
  type GrammarRule,
  generatedText,
  Inconclusive,
  idOf,
  scenario,
} from '../../../harness/index.ts';
import { baselineStream } from '../baseline-streams.ts';

/** The stored stream, looked up. */
export const streamLookedUp = scenario(
  'stored/stream-looked-up',
  { after: { stream: baselineStream.responses }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { stream: { streamed } }) => ({
    streamed,
    lookup: await responses.lookup(idOf(streamed)),
  }),
);

/**
 * The text of a stream that is whole and says the same in all places.
 *
 * @throws {Inconclusive} when it is not: that is judged elsewhere
 */
export function wholeText(streamed: Exchange): string {
  assumeServed(streamed);
  const rules: readonly GrammarRule[] = ['deltas-join-to-text', 'one-terminal-last'];
  const violation = findingsOf(streamed)?.violations.find(({ rule }) => rules.includes(rule));
  if (violation === undefined) return generatedText(streamed);
  throw new Inconclusive(`the stream of ${answerId(streamed)} contradicts itself`, streamed);
}
