import {
  check,
  checkEach,
  clientRequestIdOf,
  ending,
  expect,
  expectValue,
  type LedgerRecord,
  mustBeServed,
  NothingToJudge,
  type StreamingProtocol,
  scenario,
  wholeRun,
} from '../../harness/index.ts';
import { lastOf } from '../responses/background-runs.ts';
import { afterTheBreak, resumed } from '../responses/broken-streams.ts';
import { halfRequests } from './half-requests.ts';
import { entryOf, generationRecorded, looks, mustCharge } from './ledger.ts';

checkEach('rules/interruption.cut-stream-is-stored', (kind: keyof typeof afterTheBreak) => ({
  on: afterTheBreak[kind],
  judge: ({ seen, lookups }) => {
    mustBeServed(seen);
    const last = lastOf(lookups);
    if (ending(last) !== 'failed') expect(last).toBeServed();
  },
}));

check('rules/interruption.cut-stream-recovers', resumed, ({ rest }) => {
  expect(rest).toBeServed({ nothingLeft: true });
});

/** What the ledger says of a stream that was broken off, once its run has ended. */
const charged = scenario(
  'rules/interruption/charged',
  {
    needs: { probes: ['ledger'] },
    after: { broken: afterTheBreak.foreground, control: generationRecorded.responses },
    cost: looks({ once: 1 }),
  },
  async (io, { broken: { seen, lookups }, control }) => ({
    lookups,
    control,
    entry: await entryOf(io, seen),
  }),
);

check('rules/interruption.executed-once', charged, ({ lookups, control, entry }) => {
  lastOf(lookups);
  mustCharge(control);
  expectValue(entry.records.filter(isCharged).length, {
    as: 'charged generations of one request',
    of: entry.request,
  }).toBeAtMost(1);
});

function isCharged({ operation, charge }: LedgerRecord): boolean {
  return operation === 'generation' && charge > 0;
}

check('rules/interruption.harness-sends-once', wholeRun, ({ exchanges }) => {
  if (exchanges.length === 0) throw new NothingToJudge('No request was sent');
  const seen = new Set<string>();
  for (const exchange of exchanges) {
    const id = clientRequestIdOf(exchange);
    // Not the gateway's failure but ours.
    if (seen.has(id)) throw new Error(`Two requests were sent with the id ${id}`);
    seen.add(id);
  }
});

checkEach('rules/interruption.half-request-free', (protocol: StreamingProtocol) => ({
  on: halfRequests[protocol],
  judge: ({ entry, control }) => {
    mustCharge(control);
    expectValue(entry.records.filter(isCharged).length, {
      as: 'charged generations of half a request',
      of: entry.request,
    }).toEqual(0);
  },
}));
