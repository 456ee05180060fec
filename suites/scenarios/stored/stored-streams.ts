import {
  answerId,
  assumeServed,
  type Exchange,
  ending,
  findingsOf,
  type GrammarRule,
  generatedText,
  Inconclusive,
  type Io,
  idOf,
  present,
  scenario,
} from '../../../harness/index.ts';
import { baselineStream } from '../baseline-streams.ts';
import { pollsAnd, running } from '../running/background-runs.ts';

/** The stored stream, looked up as soon as the gateway shows it, and that it has ended. */
export const streamLookedUp = scenario(
  'stored/stream-looked-up',
  { after: { stream: baselineStream.responses }, cost: pollsAnd(0) },
  async (io, { stream: { streamed } }) => {
    const lookups = await pollUntilSettled(io, idOf(streamed));
    return { streamed, lookup: present(lookups.at(-1), 'lookup') };
  },
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

/** Lookups of a response until the gateway shows it and that it has ended, or patience ends. */
function pollUntilSettled({ responses, poll }: Io, id: string): Promise<Exchange[]> {
  return poll(
    () => responses.lookup(id),
    (answer) => answer.response?.status !== 404 && !running.includes(ending(answer)),
  );
}
