import {
  each,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { type Entry, entryOf, generationRecorded, looks } from './ledger.ts';

/** What the ledger says of a request whose connection broke in the middle of its body. */
export interface HalfRequest {
  readonly entry: Entry;
  /** What it says of an ordinary generation. */
  readonly control: Entry;
}

export const halfRequests = each(streamingProtocols, halfRequest);

function halfRequest(protocol: StreamingProtocol): Scenario<HalfRequest> {
  const name = mainEndpoint[protocol];
  const sent = scenario(
    `rules/interruption/half-request/${protocol}`,
    { after: { ordinary: ordinary[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask }, { ordinary: { input } }) => ({
      half: await ask(name, { input }, { cutRequestAfterBytes: 40 }),
    }),
  );
  return scenario(
    `rules/interruption/half-request-recorded/${protocol}`,
    {
      // The control is read in between, which gives the gateway time to write what it writes.
      after: { sent, control: generationRecorded[protocol] },
      needs: { probes: ['ledger'] },
      cost: looks({ once: 1 }),
    },
    async (io, { sent: { half }, control }) => ({ entry: await entryOf(io, half), control }),
  );
}
