import {
  type Capability,
  type Exchange,
  Inconclusive,
  type Io,
  idOf,
  responsesFindings,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { pollToTheEnd } from './background-runs.ts';

/** A stream with `store: true` that we broke off, and what the gateway shows of the run. */
export interface Broken {
  /** What came before the cut. */
  readonly seen: Exchange;
  readonly id: string;
  readonly lookups: readonly Exchange[];
}

/** Enough to see the beginning of the text. */
const eventsSeen = 6;

const brokenInBackground = brokenOff('responses/broken-background-stream', true);
const brokenInForeground = brokenOff('responses/broken-foreground-stream', false);

function brokenOff(name: string, background: boolean): Scenario<{ readonly seen: Exchange }> {
  const supports: Capability[] = ['stream:responses'];
  if (background) supports.push('background');
  return scenario(
    name,
    { needs: { model: { speaks: 'responses', supports } }, cost: { requests: 1, generations: 1 } },
    async ({ responses, random }) => ({
      seen: await responses.stream(
        {
          input: `Write 200 words about ${random.word.noun()}.`,
          max_output_tokens: 256,
          store: true,
          ...(background ? { background } : {}),
        },
        { cutAfterEvents: eventsSeen },
      ),
    }),
  );
}

/** What came of a run whose stream was broken off; a gateway may hide it until it has ended. */
export const afterTheBreak = {
  background: lookedUp('responses/broken-background-looked-up', brokenInBackground),
  foreground: lookedUp('responses/broken-foreground-looked-up', brokenInForeground),
};

function lookedUp(name: string, broken: Scenario<{ readonly seen: Exchange }>): Scenario<Broken> {
  return scenario(
    name,
    { after: { broken }, cost: { requests: 30, generations: 0 } },
    async (io, { broken: { seen } }) => {
      const id = idOf(seen);
      const hidden = await io.poll(
        () => io.responses.lookup(id),
        ({ response }) => response?.status !== 404,
      );
      const found = hidden.at(-1)?.response?.status === 200;
      return { seen, id, lookups: found ? await pollToTheEnd(io, id) : hidden };
    },
  );
}

/** The rest of a background stream, fetched at once, while the run goes on. */
export const resumed = scenario(
  'responses/resumed',
  { after: { broken: brokenInBackground }, cost: { requests: 31, generations: 0 } },
  async (io: Io, { broken: { seen } }) => {
    const id = idOf(seen);
    const last = lastNumber(seen);
    const rest = await io.responses.recover(id, { startingAfter: last });
    return { seen, last, rest, lookups: await pollToTheEnd(io, id) };
  },
);

/**
 * The number of the last event that came.
 *
 * @throws {Inconclusive} when events have none: that is judged elsewhere
 */
export function lastNumber(stream: Exchange): number {
  const last = responsesFindings(stream)?.sequenceNumbers.at(-1);
  if (last !== undefined) return last;
  throw new Inconclusive('no event of the stream had a sequence number to go on from', stream);
}
