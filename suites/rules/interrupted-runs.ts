import { type Exchange, type Scenario, scenario } from '../../harness/index.ts';
import { idOfLongRun, longRun, longRunLimit } from '../long-runs.ts';
import { afterTheBreak, textBegun } from '../responses/broken-streams.ts';
import { type Entry, generationRecorded, looks, meteredEntryOf } from './ledger.ts';

const probes = ['ledger'] as const;

/** A background run that is cancelled after text has come. */
const cancelledRun = scenario(
  'rules/metering/cancelled-run',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: (target) => ({ requests: 2, generations: 1, outputTokens: longRunLimit(target) }),
  },
  async ({ responses, target, word }) => {
    const interrupted = await responses.stream(
      {
        ...longRun(word(), target),
        store: true,
        background: true,
      },
      { cut: textBegun },
    );
    return { interrupted, cancel: await responses.cancel(idOfLongRun(interrupted)) };
  },
);

/** What the ledger says of a run that was interrupted after text had come. */
export interface Interrupted {
  readonly entry: Entry;
  readonly control: Entry;
  /** The answer to the cancel; null where the client just left. */
  readonly cancel: Exchange | null;
}

export const interrupted: Readonly<Record<'cancel' | 'disconnect', Scenario<Interrupted>>> = {
  cancel: scenario(
    'rules/metering/cancelled',
    {
      needs: { probes },
      after: { run: cancelledRun, control: generationRecorded.responses },
      cost: looks({ until: 1 }),
    },
    async (io, { run: { interrupted, cancel }, control }) => ({
      control,
      cancel,
      entry: await meteredEntryOf(io, interrupted),
    }),
  ),
  disconnect: scenario(
    'rules/metering/disconnected',
    {
      needs: { probes },
      after: { run: afterTheBreak.foreground, control: generationRecorded.responses },
      cost: looks({ until: 1 }),
    },
    async (io, { run: { seen }, control }) => ({
      control,
      cancel: null,
      entry: await meteredEntryOf(io, seen),
    }),
  ),
};
