import {
  assumeServed,
  at,
  check,
  checkEach,
  ending,
  expect,
  expectValue,
  jsonBody,
  NothingToJudge,
  type StreamingProtocol,
  wholeRun,
} from '../../harness/index.ts';
import { lastOf, terminal } from '../scenarios/background-runs.ts';
import { afterTheBreak, resumed } from '../scenarios/broken-streams.ts';
import { assumeCharged } from '../scenarios/ledger.ts';
import { charged, chargedAfter, charges, expectChargedOnce } from './charged-once.ts';
import { halfRequests } from './half-requests.ts';
import { checkSentOnce } from './sent-once.ts';

checkEach('interruption/connection.cut-stream-is-stored', (kind: keyof typeof afterTheBreak) => ({
  on: afterTheBreak[kind],
  judge: ({ seen, lookups }) => {
    assumeServed(seen);
    const last = lastOf(lookups);
    if (ending(last) !== 'failed') expect(last).toBeServed();
  },
}));

check('interruption/connection.cut-stream-recovers', resumed, ({ rest }) => {
  expect(rest).toBeServed({ nothingLeft: true });
});

check(
  'interruption/connection.background-continues',
  afterTheBreak.background,
  ({ seen, lookups }) => {
    assumeServed(seen);
    const last = lastOf(lookups);
    const status = ending(last);
    if (status === 'failed' || !terminal.includes(status)) assumeServed(last);
    const reason = at(jsonBody(last), 'incomplete_details.reason');
    expectValue([status, reason ?? null], { as: 'status and reason', of: last }).toBe(
      'an end of its own',
      () =>
        status === 'completed' || (status === 'incomplete' && ofItsOwn.test(String(reason ?? ''))),
    );
  },
);

/** Why a run may stop by itself, whatever it is called. That there is a reason is judged elsewhere. */
const ofItsOwn = /^$|token|length|limit|filter/i;

check('interruption/connection.executed-once', charged, (charged) => {
  lastOf(charged.lookups);
  expectChargedOnce(charged);
});

checkEach('interruption/connection.cut-stream-executed-once', (how: keyof typeof chargedAfter) => ({
  on: chargedAfter[how],
  judge: expectChargedOnce,
}));

check('interruption/connection.harness-sends-once', wholeRun, ({ exchanges }) => {
  if (exchanges.length === 0) throw new NothingToJudge('No request was sent');
  checkSentOnce(exchanges);
});

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
