import { expectValue, type Scenario, scenario } from '../../harness/index.ts';
import { afterTheBreak, textBegun } from '../scenarios/broken-streams.ts';
import { interrupted } from '../scenarios/interrupted-runs.ts';
import {
  assumeCharged,
  type Entry,
  entryOf,
  generationRecorded,
  looks,
  meteredEntryOf,
} from '../scenarios/ledger.ts';
import { longLimit, longRun } from '../scenarios/long-runs.ts';

/** What the ledger says of a run that was interrupted, beside a baseline one. */
export interface Charged {
  readonly entry: Entry;
  /** Read again with it: a ledger that charges in several steps has made them all by now. */
  readonly control: Entry;
}

const probes = ['ledger'] as const;

/** What it says of a stream that was broken off, once its run has ended. */
export const charged = scenario(
  'interruption/connection/charged',
  {
    needs: { probes },
    after: { broken: afterTheBreak.foreground, control: generationRecorded.responses },
    cost: looks({ once: 2 }),
  },
  async (io, { broken: { seen, lookups }, control }) => {
    const [entry, again] = await Promise.all([
      entryOf(io, seen),
      entryOf(io.lane('control'), control.request),
    ]);
    return { lookups, control: again, entry };
  },
);

/** A stream that was not stored, broken off when its text had begun. */
const brokenUnstored = scenario(
  'interruption/connection/broken-unstored',
  {
    needs: { model: { speaks: 'responses', supports: ['stream:responses'] } },
    cost: (target) => ({ requests: 1, generations: 1, outputTokens: longLimit(target) }),
  },
  async ({ responses, target, word }) => ({
    seen: await responses.stream(
      { ...longRun(word(), target), max_output_tokens: longLimit(target), store: false },
      { cut: textBegun },
    ),
  }),
);

/** What it says of other runs, once they are charged. */
export const chargedAfter: Readonly<Record<'cancel' | 'unstored', Scenario<Charged>>> = {
  cancel: scenario(
    'interruption/connection/charged/cancel',
    { needs: { probes }, after: { run: interrupted.cancel }, cost: looks({ once: 2 }) },
    async (io, { run }) => {
      const [entry, control] = await Promise.all([
        entryOf(io, run.entry.request),
        entryOf(io.lane('control'), run.control.request),
      ]);
      return { entry, control };
    },
  ),
  unstored: scenario(
    'interruption/connection/charged/unstored',
    {
      needs: { probes },
      after: { broken: brokenUnstored, control: generationRecorded.responses },
      cost: looks({ once: 1, until: 1 }),
    },
    async (io, { broken: { seen }, control }) => {
      const entry = await meteredEntryOf(io, seen);
      return { entry, control: await entryOf(io.lane('control'), control.request) };
    },
  ),
};

/** How often it was charged. */
export function charges({ records }: Entry): number {
  return records.filter(({ charge }) => charge > 0).length;
}

/** One generation may well be charged in parts, such as its input and its output. */
export function expectChargedOnce({ control, entry }: Charged): void {
  assumeCharged(control);
  expectValue(charges(entry), {
    as: 'charges for one request',
    of: entry.request,
  }).toBeAtMost(charges(control));
}
