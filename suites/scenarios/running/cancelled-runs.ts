import { contentOf, type Exchange, type Io, scenario } from '../../../harness/index.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';
import { idOfLongRun, longRun, longRunLimit, runningResponse } from '../stored/stored-responses.ts';
import { pollsAnd, pollToTheEnd, running } from './background-runs.ts';
import { textBegun } from './interrupted-streams.ts';

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
    const lookups = running.includes(contentOf(cancel).ending)
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

/** A run concurrent with one that is cancelled: started before the cancel, and looked up after it. */
export const besideCancelled = scenario(
  'background/beside-cancelled',
  {
    after: { other: runningResponse('background/left-running') },
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    cost: (target) => {
      const { requests } = costOf(clientForms.withoutBody, { requests: 5, generations: 0 });
      return { requests, generations: 1, outputTokens: longRunLimit(target) };
    },
  },
  async (io, { other: { id, created: before } }) => {
    const { responses, word } = io;
    const body = { ...longRun(word(), io), store: true, background: true };
    const stopped = idOfLongRun(await responses.create(body));
    const seen = await responses.lookup(stopped);
    const { clients, answer: stop } = await sendInForms(io, clientForms.withoutBody, (as) =>
      responses.cancel(stopped, as),
    );
    const after = await responses.lookup(id);
    // The rest of the run has no reader, and costs the user money.
    await responses.cancel(id);
    return { seen, stop, clients, before, after };
  },
);
