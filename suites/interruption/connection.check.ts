import {
  assumeServed,
  at,
  check,
  checkEach,
  each,
  ending,
  everywhere,
  expect,
  expectValue,
  jsonBody,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import {
  assumeCharged,
  type Entry,
  entryOf,
  generationRecorded,
  interrupted,
  looks,
  meteredEntryOf,
} from '../scenarios/ledger.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { refusedCost } from '../scenarios/requests/refused.ts';
import { lastOf, terminal } from '../scenarios/running/background-runs.ts';
import {
  lookedUpAfterInterruption,
  resumed,
  textBegun,
} from '../scenarios/running/interrupted-streams.ts';
import { longLimit, longRun } from '../scenarios/running/long-runs.ts';
import { checkSentOnce } from './sent-once.ts';

checkEach(
  'interruption/connection.cut-stream-is-stored',
  (kind: keyof typeof lookedUpAfterInterruption) => ({
    on: lookedUpAfterInterruption[kind],
    judge: ({ seen, lookups }) => {
      assumeServed(seen);
      const last = lastOf(lookups);
      if (ending(last) !== 'failed') expect(last).toBeServed();
    },
  }),
);

check('interruption/connection.cut-stream-recovers', resumed, ({ rest }) => {
  expect(rest).toBeServed({ nothingLeft: true });
});

/** What a reason says that blames the connection. New reasons come up; that there is one is judged elsewhere. */
const ofTheConnection =
  /connect|client|abort|disconnect|hang.?up|socket|closed|interrupt|drop|cancel/i;

check(
  'interruption/connection.background-continues',
  lookedUpAfterInterruption.background,
  ({ seen, lookups }) => {
    assumeServed(seen);
    const last = lastOf(lookups);
    const status = ending(last);
    if (status === 'failed' || !terminal.includes(status)) assumeServed(last);
    const reason = at(jsonBody(last), 'incomplete_details.reason');
    expectValue([status, reason ?? null], { as: 'status and reason', of: last }).toBe(
      'an end of its own',
      () =>
        status === 'completed' ||
        (status === 'incomplete' && !ofTheConnection.test(String(reason ?? ''))),
    );
  },
);

const probes = ['ledger'] as const;

/** What it says of a stream that was interrupted, once its run has ended. */
const charged = scenario(
  'interruption/connection/charged',
  {
    needs: { probes },
    after: { run: lookedUpAfterInterruption.foreground, control: generationRecorded.responses },
    cost: looks({ once: 2 }),
  },
  async (io, { run: { seen, lookups }, control }) => {
    const [entry, again] = await Promise.all([
      entryOf(io, seen),
      entryOf(io.lane('control'), control.request),
    ]);
    return { lookups, control: again, entry };
  },
);

/** What the ledger says of a run that was interrupted, and of a baseline generation. */
interface Charged {
  readonly entry: Entry;
  /** Read again with it: a ledger that charges in several steps has made them all by now. */
  readonly control: Entry;
}

check('interruption/connection.executed-once', charged, (charged) => {
  lastOf(charged.lookups);
  expectChargedOnce(charged);
});

/** One generation may well be charged in parts, such as its input and its output. */
function expectChargedOnce({ control, entry }: Charged): void {
  assumeCharged(control);
  expectValue(charges(entry), {
    as: 'charges for one request',
    of: entry.request,
  }).toBeAtMost(charges(control));
}

/** How often it was charged. */
function charges({ records }: Entry): number {
  return records.filter(({ charge }) => charge > 0).length;
}

/** A stream that was not stored, interrupted when its text had begun. */
const interruptedUnstored = scenario(
  'interruption/connection/interrupted-unstored',
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
const chargedAfter: Readonly<Record<'cancel' | 'unstored', Scenario<Charged>>> = {
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
      after: { run: interruptedUnstored, control: generationRecorded.responses },
      cost: looks({ once: 1, until: 1 }),
    },
    async (io, { run: { seen }, control }) => {
      const entry = await meteredEntryOf(io, seen);
      return { entry, control: await entryOf(io.lane('control'), control.request) };
    },
  ),
};

checkEach('interruption/connection.cut-stream-executed-once', (how: keyof typeof chargedAfter) => ({
  on: chargedAfter[how],
  judge: expectChargedOnce,
}));

everywhere(
  'interruption/connection.harness-sends-once',
  { least: baseline.models, which: () => true, partial: true },
  (exchange, { exchanges }) => checkSentOnce(exchange, exchanges),
);

/** What the ledger says of a request whose connection broke in the middle of its body. */
interface HalfRequest {
  readonly entry: Entry;
  /** What it says of a baseline generation. */
  readonly control: Entry;
}

const halfRequests = each(streamingProtocols, halfRequest);

function halfRequest(protocol: StreamingProtocol): Scenario<HalfRequest> {
  const name = mainEndpoint[protocol];
  const sent = scenario(
    `interruption/connection/half-request/${protocol}`,
    { after: { baseline: baseline[name] }, cost: refusedCost(name, 1) },
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

checkEach('interruption/connection.partial-request-free', (protocol: StreamingProtocol) => ({
  on: halfRequests[protocol],
  judge: ({ entry, control }) => {
    assumeCharged(control);
    expectValue(charges(entry), {
      as: 'charges for half a request',
      of: entry.request,
    }).toEqual(0);
  },
}));
