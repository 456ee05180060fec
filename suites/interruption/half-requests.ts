import {
  each,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { type Entry, entryOf, generationRecorded, looks } from '../scenarios/ledger.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';

/** What the ledger says of a request whose connection broke in the middle of its body. */
export interface HalfRequest {
  readonly entry: Entry;
  /** What it says of a baseline generation. */
  readonly control: Entry;
}

export const halfRequests = each(streamingProtocols, halfRequest);

function halfRequest(protocol: StreamingProtocol): Scenario<HalfRequest> {
  const name = mainEndpoint[protocol];
  const sent = scenario(
    `interruption/connection/half-request/${protocol}`,
    { after: { baseline: baseline[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask }, { baseline: { input } }) => ({
      half: await ask(name, { input }, { cutRequestAfterBytes: 40 }),
    }),
  );
  return scenario(
    `interruption/connection/half-request-recorded/${protocol}`,
    {
      // The control is read in between, which gives the gateway time to write what it writes.
      after: { sent, control: generationRecorded[protocol] },
      needs: { probes: ['ledger'] },
      cost: looks({ once: 1 }),
    },
    async (io, { sent: { half }, control }) => ({ entry: await entryOf(io, half), control }),
  );
}
