import { ending, scenario } from '../../../harness/index.ts';
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
    const { responses, word } = io;
    const interrupted = await responses.stream(
      { ...longRun(word(), io), store: true, background: true },
      { cut: textBegun },
    );
    const id = idOfLongRun(interrupted);
    const cancel = await responses.cancel(id);
    // The answer to the cancel may arrive before the run has stopped.
    const lookups = running.includes(ending(cancel)) ? await pollToTheEnd(io, id) : [];
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
    const { responses, word } = io;
    const interrupted = await responses.stream(
      { ...longRun(word(), io), store: true, background: true },
      { cut: textBegun },
    );
    return { interrupted, deletion: await responses.delete(idOfLongRun(interrupted)) };
  },
);
