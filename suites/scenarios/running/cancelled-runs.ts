import { type Exchange, ending, type Io, scenario } from '../../../harness/index.ts';
import { pollsAnd, pollToTheEnd, running } from './background-runs.ts';
import { textBegun } from './interrupted-streams.ts';
import { idOfLongRun, longRun, longRunLimit } from './long-runs.ts';

/** A background run that is cancelled after its first text. */
export const cancelledAfterText = scenario(
  'running/cancelled-after-text',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: (target) => ({
      ...pollsAnd(2)(target),
      generations: 1,
      outputTokens: longRunLimit(target),
    }),
  },
  async (io) => {
    const interrupted = await streamToText(io);
    const cancel = await io.responses.cancel(idOfLongRun(interrupted));
    // The answer to the cancel may arrive before the run has stopped.
    const lookups = running.includes(ending(cancel))
      ? await pollToTheEnd(io, idOfLongRun(interrupted))
      : [];
    return { interrupted, cancel: lookups.at(-1) ?? cancel };
  },
);

/** A background run that is deleted after its first text. */
export const deletedAfterText = scenario(
  'running/deleted-after-text',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: (target) => ({ requests: 2, generations: 1, outputTokens: longRunLimit(target) }),
  },
  async (io) => {
    const interrupted = await streamToText(io);
    return { interrupted, deletion: await io.responses.delete(idOfLongRun(interrupted)) };
  },
);

/** Starts a long background stream, and leaves it at its first text. */
function streamToText(io: Io): Promise<Exchange> {
  const body = { ...longRun(io.word(), io), store: true, background: true };
  return io.responses.stream(body, { cut: textBegun });
}
