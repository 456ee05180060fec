import {
  type Cost,
  clientRequestIdOf,
  type Exchange,
  each,
  ending,
  Inconclusive,
  type Io,
  isRefused,
  type LedgerRecord,
  ledgerRecords,
  mostPolls,
  type Protocol,
  present,
  protocols,
  type Scenario,
  scenario,
  type Target,
} from '../../harness/index.ts';
import { baseline } from './baselines.ts';
import { mainEndpoint } from './main-endpoint.ts';
import { pollsAnd, pollToTheEnd, running } from './running/background-runs.ts';
import {
  type Interrupted as InterruptedRun,
  lookedUpAfterInterruption,
  textBegun,
} from './running/interrupted-streams.ts';
import { idOfLongRun, longRun, longRunLimit } from './running/long-runs.ts';

/** What the ledger says of one request. */
export interface Entry {
  /** The request that it is about. */
  readonly request: Exchange;
  /** The last answers of the ledger. */
  readonly answers: readonly Exchange[];
  readonly records: readonly LedgerRecord[];
}

/**
 * What looking into the ledger costs: each look asks each of its addresses.
 *
 * @param once looks that are not repeated
 * @param until looks that are repeated until there is a record
 * @param more requests to the gateway
 */
export function looks({ once = 0, until = 0, more = 0 }) {
  return (target: Target): Cost => {
    const times = once + until * mostPolls(target);
    return { requests: times * target.probes.ledger.length + more, generations: 0, chain: 1 };
  };
}

const probes = ['ledger'] as const;

/** Asks the ledger for a request, once. */
export async function entryOf({ probes }: Io, request: Exchange): Promise<Entry> {
  const answers = await probes.ledger(clientRequestIdOf(request));
  return { request, answers, records: ledgerRecords(answers) };
}

/** Asks until there is a record with usage or a charge: a ledger may be written a little later. */
export async function meteredEntryOf(io: Io, request: Exchange): Promise<Entry> {
  let entry: Entry | undefined;
  await io.poll(
    async () => {
      entry = await entryOf(io, request);
      return present(entry.answers[0], 'answer of the ledger');
    },
    // Of a refused request no record will come.
    () => isRefused(request) || entry?.records.some(isMetered) === true,
  );
  return present(entry, 'answer of the ledger');
}

/** True for a record with usage or a charge. */
export function isMetered({ inputTokens, outputTokens, charge }: LedgerRecord): boolean {
  return inputTokens + outputTokens > 0 || charge > 0;
}

/** @throws {Inconclusive} when a generation is not charged: then nothing says that another request is free */
export function assumeCharged({ request, records }: Entry): void {
  if (records.some(({ charge }) => charge > 0)) return;
  throw new Inconclusive('the ledger has no charge for a generation', request);
}

/**
 * What the ledger says of a baseline generation: the control of everything that it says. Without a
 * record there, it says nothing of other requests either.
 */
export const generationRecorded = each(protocols, (protocol: Protocol) =>
  scenario(
    `ledger/generation/${protocol}`,
    {
      needs: { probes: ['ledger'] },
      after: { generated: baseline[mainEndpoint[protocol]] },
      cost: looks({ until: 1 }),
    },
    (io, { generated: { baseline: generated } }) => meteredEntryOf(io, generated),
  ),
);

/** What the ledger says of a run that was interrupted after text had come. */
export interface Interrupted {
  readonly entry: Entry;
  readonly control: Entry;
  /** The answer to the cancel, or the lookup after it that showed an end; null where the client just left. */
  readonly cancel: Exchange | null;
}

/** A background run that is cancelled after text has come. */
const cancelledRun = scenario(
  'ledger/cancelled-run',
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

export const interrupted: Readonly<
  Record<'cancel' | 'disconnect' | 'websocket', Scenario<Interrupted>>
> = {
  cancel: scenario(
    'ledger/cancelled',
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
  disconnect: lookedUpAfter('ledger/disconnected', lookedUpAfterInterruption.foreground),
  websocket: lookedUpAfter('ledger/socket-cut', lookedUpAfterInterruption.websocket),
};

/** What the ledger says of a run whose connection we cut. */
function lookedUpAfter(name: string, interrupted: Scenario<InterruptedRun>): Scenario<Interrupted> {
  return scenario(
    name,
    {
      needs: { probes },
      after: { run: interrupted, control: generationRecorded.responses },
      cost: looks({ until: 1 }),
    },
    async (io, { run: { seen }, control }) => ({
      control,
      cancel: null,
      entry: await meteredEntryOf(io, seen),
    }),
  );
}
