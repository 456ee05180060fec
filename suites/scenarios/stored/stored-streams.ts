import {
  assumeServed,
  contentOf,
  type Exchange,
  findingsOf,
  type GrammarRule,
  Inconclusive,
  idOf,
  scenario,
} from '../../../harness/index.ts';
import { baselineStream } from '../baseline-streams.ts';

/** Lookup of the stored stream. */
export const streamLookedUp = scenario(
  'stored/stream-looked-up',
  { after: { stream: baselineStream.responses }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { stream: { streamed } }) => ({
    streamed,
    lookup: await responses.lookup(idOf(streamed)),
  }),
);

/**
 * Returns the text of a complete stream that shows the same text in all places.
 *
 * @throws {Inconclusive} for any other stream; another check judges that
 */
export function wholeText(streamed: Exchange): string {
  assumeServed(streamed);
  const rules: readonly GrammarRule[] = ['deltas-join-to-text', 'one-terminal-last'];
  const violation = findingsOf(streamed)?.violations.find(({ rule }) => rules.includes(rule));
  if (violation === undefined) return contentOf(streamed).text;
  throw new Inconclusive(`the stream of ${contentOf(streamed).id} contradicts itself`, streamed);
}
