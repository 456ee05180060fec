import {
  answerOf,
  assumeServed,
  check,
  contentOf,
  each,
  everywhere,
  expect,
  expectValue,
  json,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { baseline, baselineOf, refusedCost } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { assumeCharged, entryIn, ledgerOfTheRun } from '../scenarios/metering/ledger-of-the-run.ts';
import { expectEnd, polled } from '../scenarios/running/background-runs.ts';
import { lookedUpAfterInterruption, resumed } from '../scenarios/running/interrupted-streams.ts';
import { terminal } from '../scenarios/stored/stored-responses.ts';
import { checkSentOnce } from './sent-once.ts';

check.each(
  'interruption/connection.cut-stream-is-stored',
  (kind: keyof typeof lookedUpAfterInterruption) => ({
    on: lookedUpAfterInterruption[kind],
    judge: ({ seen, lookups }) => {
      assumeServed(seen);
      // Another check requires a run to end.
      const last = present(lookups.at(-1), 'lookup');
      if (contentOf(last).ending !== 'failed') expect(last).toBeServed();
    },
  }),
);

check('interruption/connection.cut-stream-recovers', resumed, ({ rest }) => {
  expect(rest).toBeServed({ nothingLeft: true });
});

/** Matches a reason that blames the connection. New reasons may appear. Another check requires a reason. */
const ofTheConnection =
  /connect|client|abort|disconnect|hang.?up|socket|closed|interrupt|drop|cancel/i;

check(
  'interruption/connection.background-continues',
  { interrupted: lookedUpAfterInterruption.background, polled },
  ({ interrupted: { seen, lookups }, polled }) => {
    assumeServed(seen);
    const last = expectEnd(seen, lookups, polled);
    const status = contentOf(last).ending;
    if (status === 'failed' || !terminal.includes(status)) assumeServed(last);
    const reason = json.at(answerOf(last).value, 'incomplete_details.reason');
    expectValue([status, reason ?? null], { as: 'status and reason', of: last }).toBe(
      'an end of its own',
      () =>
        status === 'completed' ||
        (status === 'incomplete' && !ofTheConnection.test(String(reason ?? ''))),
    );
  },
);

check.each('interruption/connection.cut-run-ends', (kind: 'foreground' | 'websocket') => ({
  on: { interrupted: lookedUpAfterInterruption[kind], polled },
  judge: ({ interrupted: { seen, lookups }, polled }) => {
    assumeServed([seen, present(lookups.at(-1), 'lookup')]);
    expectEnd(seen, lookups, polled);
  },
}));

everywhere(
  'interruption/connection.harness-sends-once',
  { least: baseline.models, which: () => true, partial: true, observed: 'never' },
  (exchange, { exchanges }) => checkSentOnce(exchange, exchanges),
);

const halfRequests = each(streamingProtocols, (protocol: StreamingProtocol) => {
  const name = protocolModules[protocol].mainEndpoint;
  return scenario(
    `interruption/connection/half-request/${protocol}`,
    { after: { baseline: baseline[name] }, cost: refusedCost(name, 1), hostile: 'input' },
    async ({ ask }, { baseline: { input } }) => ({
      half: await ask(name, { input }, { cutRequestAfterBytes: 40 }),
    }),
  );
});

everywhere.each('interruption/connection.partial-request-free', (protocol: StreamingProtocol) => ({
  least: { ledgerOfTheRun, half: halfRequests[protocol], whole: baselineOf[protocol] },
  which: (request) =>
    request.id.scenario === halfRequests[protocol].name &&
    request.response === null &&
    request.failure?.kind === 'cut',
  partial: true,
  judge: (request, run) => {
    assumeCharged(run, protocol);
    const charges = entryIn(run, request).records.filter(({ charge }) => charge > 0);
    expectValue(charges.length, { as: 'charges for half a request', of: request }).toEqual(0);
  },
}));
