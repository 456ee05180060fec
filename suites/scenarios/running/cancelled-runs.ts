import { scenario } from '../../../harness/index.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';
import { idOfLongRun, longRun, longRunLimit, runningResponse } from '../stored/stored-responses.ts';
import { textBegun } from './interrupted-streams.ts';

/** A background run that is deleted after its first text. */
export const deletedAfterText = scenario(
  'running/deleted-after-text',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: (target) => ({ requests: 2, generations: 1, outputTokens: longRunLimit(target) }),
  },
  async (io) => {
    const body = { ...longRun(io.word(), io), store: true, background: true };
    const interrupted = await io.responses.stream(body, { cut: textBegun });
    return { interrupted, deletion: await io.responses.delete(idOfLongRun(interrupted)) };
  },
);

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
