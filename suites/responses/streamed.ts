import {
  answerId,
  type Exchange,
  findingsOf,
  generatedText,
  Inconclusive,
  idOf,
  mustBeServed,
  scenario,
} from '../../harness/index.ts';
import { ordinaryStream } from '../ordinary-streams.ts';

/** The stored stream, looked up as soon as the gateway shows it. */
export const streamLookedUp = scenario(
  'responses/stream-looked-up',
  { after: { stream: ordinaryStream.responses }, cost: { requests: 12, generations: 0 } },
  async ({ responses, poll }, { stream: { streamed } }) => {
    const id = idOf(streamed);
    const lookups = await poll(
      () => responses.lookup(id),
      (answer) => answer.response?.status !== 404,
    );
    return { streamed, lookup: lookups.at(-1) ?? streamed };
  },
);

/**
 * The text of a stream that is whole and says the same in all places.
 *
 * @throws {Inconclusive} when it is not: that is judged elsewhere
 */
export function wholeText(streamed: Exchange): string {
  mustBeServed(streamed);
  const rules = ['deltas-make-the-text', 'one-terminal-last'];
  const broken = findingsOf(streamed)?.violations.find(({ rule }) => rules.includes(rule));
  if (broken === undefined) return generatedText(streamed);
  throw new Inconclusive(`the stream of ${answerId(streamed)} contradicts itself`, streamed);
}
