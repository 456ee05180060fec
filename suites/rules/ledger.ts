import {
  clientRequestIdOf,
  type Exchange,
  each,
  type Io,
  type LedgerRecord,
  ledgerRecords,
  type Protocol,
  present,
  protocols,
  scenario,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';

/** What the ledger says of one request. */
export interface Entry {
  /** The request that it is about. */
  readonly request: Exchange;
  /** The last answers of the ledger. */
  readonly answers: readonly Exchange[];
  readonly records: readonly LedgerRecord[];
}

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
    () => entry?.records.some(isMetered) === true,
  );
  return present(entry, 'answer of the ledger');
}

/** True for a record with usage or a charge. */
export function isMetered({ inputTokens, outputTokens, charge }: LedgerRecord): boolean {
  return inputTokens + outputTokens > 0 || charge > 0;
}

/**
 * What the ledger says of an ordinary generation: the control of everything that it says. Without a
 * record there, it says nothing of other requests either.
 */
export const generationRecorded = each(protocols, (protocol: Protocol) =>
  scenario(
    `rules/metering/generation/${protocol}`,
    {
      needs: { probes: ['ledger'] },
      after: { generated: ordinary[mainEndpoint[protocol]] },
      cost: { requests: 10, generations: 0, chain: 1 },
    },
    (io, { generated: { ordinary: generated } }) => meteredEntryOf(io, generated),
  ),
);
