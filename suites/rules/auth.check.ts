import {
  check,
  checkEach,
  type EndpointName,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  type Protocol,
  present,
  requestInWords,
  type Scenario,
  scenario,
  wholeRun,
} from '../../harness/index.ts';
import { mustBeThere } from '../missing-endpoint.ts';
import { besideAnother, ordinary } from '../ordinary.ts';
import { cancelled, mustNotHaveComeTooLate } from '../responses/background-runs.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { credentialAttempts } from './credential-attempts.ts';
import {
  keyInQuery,
  otherSchemes,
  recoveryWithoutKey,
  type VersionedEndpoint,
  versions,
} from './credential-placement.ts';
import { besideForeign, type Headed, type Miss, nearMisses } from './near-misses.ts';

/** What a cancel came to, and what was found afterwards: a run that had ended may well refuse it. */
const cancelledAndLookedUp = scenario(
  'rules/auth/cancelled',
  { after: { cancelled }, cost: { requests: 0, generations: 0 } },
  async (_, { cancelled: { cancel, lookups } }) => ({ ordinary: cancel, lookups }),
);

/** What each endpoint answers to its own header; to Responses, beside another answer. */
const withOwnHeader: Readonly<
  Record<
    EndpointName,
    Scenario<{
      readonly ordinary: Exchange;
      readonly other?: Exchange;
      readonly lookups?: readonly Exchange[];
    }>
  >
> = { ...ordinary, responses: besideAnother, cancel: cancelledAndLookedUp };

checkEach('rules/auth.own-header-served', (endpoint: EndpointName) => ({
  on: withOwnHeader[endpoint],
  judge: ({ ordinary, other, lookups }) => {
    mustBeAboutCredentials(ordinary);
    if (lookups !== undefined) mustNotHaveComeTooLate({ cancel: ordinary, lookups });
    expect(ordinary).toBeServed();
    if (other !== undefined) mustBeToldApart([ordinary], [other]);
  },
}));

checkEach('rules/auth.key-required', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ keyless, control }) => allRefused(keyless, control),
}));

checkEach('rules/auth.unknown-key-refused', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ unknownKey, control }) => allRefused(unknownKey, control),
}));

checkEach('rules/auth.foreign-header-refused', (endpoint: EndpointName, header: string) => ({
  on: credentialAttempts[endpoint],
  judge: ({ misplaced, control }) =>
    expect(present(misplaced.get(header), header)).toBeRefused({ control }),
}));

checkEach('rules/auth.recovery-needs-key', (key: 'none' | 'unknown') => ({
  on: recoveryWithoutKey[key],
  judge: ({ attempt, control, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control });
  },
}));

checkEach('rules/auth.near-miss-refused', (protocol: Protocol, miss: Miss) => ({
  on: nearMisses[protocol][miss],
  judge: ({ attempt, control }) => expect(attempt).toBeRefused({ control }),
}));

checkEach('rules/auth.own-header-decides', (protocol: Headed, header: string) => ({
  on: besideForeign[protocol],
  judge: ({ attempts, control }) =>
    expect(present(attempts.get(header), header)).toBeRefused({ control }),
}));

checkEach('rules/auth.messages-version-required', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ none, control }) => allRefused(none, control),
}));

checkEach('rules/auth.version-is-a-date', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ noDate, control }) => allRefused(noDate, control),
}));

checkEach('rules/auth.query-key-refused', (protocol: Protocol) => ({
  on: keyInQuery[protocol],
  judge: ({ attempts, control }) => allRefused(attempts, control),
}));

check('rules/auth.bearer-scheme-required', otherSchemes, ({ attempts, control }) => {
  allRefused(attempts, control);
});

check('rules/auth.key-not-echoed', wholeRun, ({ exchanges }) => {
  for (const exchange of exchanges) {
    expectValue(exchange.echoed.join(', '), { as: 'keys in the answer', of: exchange }).toEqual('');
  }
});

/** An endpoint that breaks, or that is not there, has a row of its own: here it says nothing. */
function mustBeAboutCredentials(answer: Exchange): void {
  mustBeThere(answer);
  const status = answer.response?.status ?? 0;
  if (status < 500) return;
  const reason = `${requestInWords(answer)} is answered with ${status}, which says nothing about the credential`;
  throw new Inconclusive(reason, answer);
}

function allRefused(attempts: readonly Exchange[], control: Exchange): void {
  for (const attempt of attempts) expect(attempt).toBeRefused({ control });
}
