import {
  at,
  check,
  checkEach,
  ending,
  expect,
  expectValue,
  jsonBody,
  mustBeServed,
  NothingToJudge,
  type StreamingProtocol,
  scenario,
  wholeRun,
} from '../../harness/index.ts';
import { lastOf, terminal } from '../responses/background-runs.ts';
import { afterTheBreak, resumed } from '../responses/broken-streams.ts';
import { halfRequests } from './half-requests.ts';
import { type Entry, entryOf, generationRecorded, looks, mustCharge } from './ledger.ts';
import { mustBeSentOnce } from './sent-once.ts';

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
    cost: looks({ once: 2 }),
  },
  async (io, { broken: { seen, lookups }, control }) => {
    // The control is read again: a ledger that charges in several steps has made them all by now.
    const [entry, again] = await Promise.all([
      entryOf(io, seen),
      entryOf(io.lane('control'), control.request),
    ]);
    return { lookups, control: again, entry };
  },
);

check('rules/interruption.background-runs-on', afterTheBreak.background, ({ seen, lookups }) => {
  mustBeServed(seen);
  const last = lastOf(lookups);
  const status = ending(last);
  if (status === 'failed' || !terminal.includes(status)) mustBeServed(last);
  const reason = at(jsonBody(last), 'incomplete_details.reason');
  expectValue([status, reason ?? null], { as: 'status and reason', of: last }).toBe(
    'an end of its own',
    () => status === 'completed' || (status === 'incomplete' && ends.includes(reason)),
  );
});

/** Why a run may stop by itself. No reason at all is judged elsewhere. */
const ends: readonly unknown[] = ['max_output_tokens', 'content_filter', null, undefined];

check('rules/interruption.executed-once', charged, ({ lookups, control, entry }) => {
  lastOf(lookups);
  mustCharge(control);
  // One generation may well be charged in parts, such as its input and its output.
  expectValue(charges(entry), {
    as: 'charges for one request',
    of: entry.request,
  }).toBeAtMost(charges(control));
});

function charges({ records }: Entry): number {
  return records.filter(({ charge }) => charge > 0).length;
}

check('rules/interruption.harness-sends-once', wholeRun, ({ exchanges }) => {
  if (exchanges.length === 0) throw new NothingToJudge('No request was sent');
  mustBeSentOnce(exchanges);
});

checkEach('rules/interruption.half-request-free', (protocol: StreamingProtocol) => ({
  on: halfRequests[protocol],
  judge: ({ entry, control }) => {
    mustCharge(control);
    expectValue(charges(entry), {
      as: 'charges for half a request',
      of: entry.request,
    }).toEqual(0);
  },
}));
