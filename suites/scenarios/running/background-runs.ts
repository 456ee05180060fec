import {
  contentOf,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  scenario,
} from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { assumeDistinctIds, present } from '../exchanges.ts';
import {
  endedByItself,
  endedTooSoon,
  lastOf,
  pollsAnd,
  pollToTheEnd,
  running,
  terminal,
  witness,
} from '../stored/stored-responses.ts';

/** Maximum factor between the durations of two runs of the same gateway. */
const muchLonger = 10;

/**
 * Judges that a run ends. Another run of the gateway provides the expected duration: ten times that is too long,
 * independent of the suite's own deadline.
 *
 * @param asked the request that started the run
 * @param other another run, from its request on
 * @returns the lookup that shows the end
 * @throws {Inconclusive} if the deadline passes earlier than that
 */
export function expectEnd(
  asked: Exchange,
  lookups: readonly Exchange[],
  other: { readonly created: Exchange; readonly lookups: readonly Exchange[] },
): Exchange {
  const last = present(lookups.at(-1), 'lookup');
  const end = other.lookups.find((lookup) => terminal.includes(contentOf(lookup).ending));
  if (running.includes(contentOf(last).ending) && end !== undefined) {
    const usual = end.times.ended - other.created.times.started;
    const took = last.times.started - asked.times.started;
    const inWords = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    const isStuck = took > muchLonger * usual;
    expectValue(isStuck ? contentOf(last).ending : null, {
      as: `status after ${inWords(took)}`,
      of: last,
    }).toBe(
      `that of a run that has ended: another run took ${inWords(usual)}`,
      (stuck) => stuck === null,
    );
  }
  return lastOf(lookups);
}

/** A response that is requested in the background. */
export const started = scenario(
  'running/started',
  {
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    cost: { requests: 1, generations: 1, outputTokens: 160 },
  },
  async (io) => {
    return {
      created: await io.responses.create({
        // Long enough for a lookup to find it running.
        input: io.text(120, io.topic()),
        max_output_tokens: 160,
        store: true,
        background: true,
      }),
    };
  },
);

/** The started response, polled until it ends, and looked up twice more. */
export const polled = scenario(
  'running/polled',
  { after: { started, witness }, cost: pollsAnd(2) },
  async (io, { started: { created }, witness: other }) => {
    assumeDistinctIds([created], [other.created]);
    const id = idOf(created);
    const lookups = await pollToTheEnd(io, id);
    const later = [await io.responses.lookup(id), await io.responses.lookup(id)];
    return { id, created, lookups, later };
  },
);

/**
 * The running response that was cancelled: looked up just before, then polled until it ends, and looked up once more.
 */
export const cancelled = scenario(
  'running/cancelled',
  { after: { done: baseline.cancel }, cost: pollsAnd(1) },
  async (io, { done }) => {
    const id = present(done.id, 'id');
    const lookups = await pollToTheEnd(io, id);
    const later = await io.responses.lookup(id);
    return { id, before: done.before, cancel: done.baseline, lookups, later };
  },
);

/** @throws {Inconclusive} if the cancel was refused, and the run had ended by then */
export function assumeCancelledInTime(cancelled: {
  readonly cancel: Exchange;
  readonly lookups: readonly Exchange[];
}): void {
  const { cancel, lookups } = cancelled;
  const isRefused = (cancel.response?.status ?? 0) >= 400;
  const ended = [...endedByItself, 'failed'].includes(contentOf(lookups[0] ?? cancel).ending);
  if (isRefused && ended) throw new Inconclusive(endedTooSoon, cancel);
}

/**
 * Judges that an attempt did not cancel the run. A run proceeds on its own and may end at any time, so nothing more
 * can be expected.
 */
export function expectStillRunning({
  before,
  after,
}: {
  readonly before: Exchange;
  readonly after: Exchange;
}): void {
  if (contentOf(before).ending === 'cancelled')
    throw new Inconclusive('the run was cancelled before', before);
  expect(after).toBeServed();
  expectValue(contentOf(after).ending, { as: 'status', of: after }).toBe(
    'as before the attempt, or that of a run that ended by itself',
    (status) => status !== 'cancelled',
  );
}
