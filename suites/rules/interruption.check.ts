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
  wholeRun,
} from '../../harness/index.ts';
import { lastOf, terminal } from '../responses/background-runs.ts';
import { afterTheBreak, resumed } from '../responses/broken-streams.ts';
import { charged, chargedOtherwise, charges, expectChargedOnce } from './charged-once.ts';
import { halfRequests } from './half-requests.ts';
import { mustCharge } from './ledger.ts';
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

check('rules/interruption.background-runs-on', afterTheBreak.background, ({ seen, lookups }) => {
  mustBeServed(seen);
  const last = lastOf(lookups);
  const status = ending(last);
  if (status === 'failed' || !terminal.includes(status)) mustBeServed(last);
  const reason = at(jsonBody(last), 'incomplete_details.reason');
  expectValue([status, reason ?? null], { as: 'status and reason', of: last }).toBe(
    'an end of its own',
    () =>
      status === 'completed' || (status === 'incomplete' && ofItsOwn.test(String(reason ?? ''))),
  );
});

/** Why a run may stop by itself, whatever it is called. That there is a reason is judged elsewhere. */
const ofItsOwn = /^$|token|length|limit|filter/i;

check('rules/interruption.executed-once', charged, (charged) => {
  lastOf(charged.lookups);
  expectChargedOnce(charged);
});

checkEach('rules/interruption.otherwise-executed-once', (how: keyof typeof chargedOtherwise) => ({
  on: chargedOtherwise[how],
  judge: expectChargedOnce,
}));

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
