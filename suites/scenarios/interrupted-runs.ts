import { type Exchange, ending, type Scenario, scenario } from '../../harness/index.ts';
import { pollsAnd, pollToTheEnd, running } from './background-runs.ts';
import { afterTheBreak, type Broken, textBegun } from './broken-streams.ts';
import { type Entry, generationRecorded, looks, meteredEntryOf } from './ledger.ts';
import { idOfLongRun, longRun, longRunLimit } from './long-runs.ts';

const probes = ['ledger'] as const;

/** A background run that is cancelled after text has come. */
const cancelledRun = scenario(
  'metering/ledger/cancelled-run',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: (target) => ({
      ...pollsAnd(2)(target),
      generations: 1,
      outputTokens: longRunLimit(target),
    }),
  },
  async (io) => {
    const { responses, target, word } = io;
    const interrupted = await responses.stream(
      {
        ...longRun(word(), target),
        store: true,
        background: true,
      },
      { cut: textBegun },
    );
    const id = idOfLongRun(interrupted);
    const cancel = await responses.cancel(id);
    // It may be answered before the run has stopped.
    const lookups = running.includes(ending(cancel)) ? await pollToTheEnd(io, id) : [];
    return { interrupted, cancel: lookups.at(-1) ?? cancel };
  },
);

/** What the ledger says of a run that was interrupted after text had come. */
export interface Interrupted {
  readonly entry: Entry;
  readonly control: Entry;
  /** The answer to the cancel, or the lookup that showed what it came to; null where the client just left. */
  readonly cancel: Exchange | null;
}

export const interrupted: Readonly<
  Record<'cancel' | 'disconnect' | 'websocket', Scenario<Interrupted>>
> = {
  cancel: scenario(
    'metering/ledger/cancelled',
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
  disconnect: lookedUpAfter('metering/ledger/disconnected', afterTheBreak.foreground),
  websocket: lookedUpAfter('metering/ledger/socket-broken', afterTheBreak.websocket),
};

/** What the ledger says of a run whose connection we broke. */
function lookedUpAfter(name: string, broken: Scenario<Broken>): Scenario<Interrupted> {
  return scenario(
    name,
    {
      needs: { probes },
      after: { run: broken, control: generationRecorded.responses },
      cost: looks({ until: 1 }),
    },
    async (io, { run: { seen }, control }) => ({
      control,
      cancel: null,
      entry: await meteredEntryOf(io, seen),
    }),
  );
}
