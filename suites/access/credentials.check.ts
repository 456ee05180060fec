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
import { assumeCancelledInTime, cancelled } from '../scenarios/background-runs.ts';
import { baseline, besideAnother } from '../scenarios/baselines.ts';
import { credentialAttempts } from '../scenarios/credential-attempts.ts';
import { assumeDistinctIds } from '../scenarios/distinct-ids.ts';
import { assumeEndpointExists } from '../scenarios/missing-endpoint.ts';
import { alteredKeys, besideForeign, type Headed, type Miss } from './altered-keys.ts';
import {
  keyInQuery,
  otherSchemes,
  recoveryWithoutKey,
  type VersionedEndpoint,
  versions,
} from './credential-placement.ts';

/** What a cancel came to, and what was found afterwards: a run that had ended may well refuse it. */
const cancelledAndLookedUp = scenario(
  'access/credentials/cancelled',
  { after: { cancelled }, cost: { requests: 0, generations: 0 } },
  async (_, { cancelled: { cancel, lookups } }) => ({ baseline: cancel, lookups }),
);

/** What each endpoint answers to its own header; to Responses, beside another answer. */
const withOwnHeader: Readonly<
  Record<
    EndpointName,
    Scenario<{
      readonly baseline: Exchange;
      readonly other?: Exchange;
      readonly lookups?: readonly Exchange[];
    }>
  >
> = { ...baseline, responses: besideAnother, cancel: cancelledAndLookedUp };

checkEach('access/credentials.own-header-served', (endpoint: EndpointName) => ({
  on: withOwnHeader[endpoint],
  judge: ({ baseline, other, lookups }) => {
    assumeAboutCredentials(baseline);
    if (lookups !== undefined) assumeCancelledInTime({ cancel: baseline, lookups });
    expect(baseline).toBeServed();
    if (other !== undefined) assumeDistinctIds([baseline], [other]);
  },
}));

checkEach('access/credentials.key-required', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ keyless, control }) => allRefused(keyless, control),
}));

checkEach('access/credentials.unknown-key-refused', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ unknownKey, control }) => allRefused(unknownKey, control),
}));

checkEach(
  'access/credentials.foreign-header-refused',
  (endpoint: EndpointName, header: string) => ({
    on: credentialAttempts[endpoint],
    judge: ({ misplaced, control }) =>
      expect(present(misplaced.get(header), header)).toBeRefused({ control }),
  }),
);

checkEach('access/credentials.recovery-needs-key', (key: 'none' | 'unknown') => ({
  on: recoveryWithoutKey[key],
  judge: ({ attempt, control, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control });
  },
}));

checkEach('access/credentials.altered-key-refused', (protocol: Protocol, miss: Miss) => ({
  on: alteredKeys[protocol][miss],
  judge: ({ attempt, control }) => expect(attempt).toBeRefused({ control }),
}));

checkEach('access/credentials.own-header-decides', (protocol: Headed, header: string) => ({
  on: besideForeign[protocol],
  judge: ({ attempts, control }) =>
    expect(present(attempts.get(header), header)).toBeRefused({ control }),
}));

checkEach('access/credentials.messages-version-required', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ none, control }) => allRefused(none, control),
}));

checkEach('access/credentials.version-is-a-date', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ noDate, control }) => allRefused(noDate, control),
}));

checkEach('access/credentials.query-key-refused', (protocol: Protocol) => ({
  on: keyInQuery[protocol],
  judge: ({ attempts, control }) => allRefused(attempts, control),
}));

check('access/credentials.bearer-scheme-required', otherSchemes, ({ attempts, control }) => {
  allRefused(attempts, control);
});

check('access/credentials.key-not-echoed', wholeRun, ({ exchanges }) => {
  for (const exchange of exchanges) {
    expectValue(exchange.echoed.join(', '), { as: 'keys in the answer', of: exchange }).toEqual('');
  }
});

/** An endpoint that breaks, or that is not there, has a row of its own: here it says nothing. */
function assumeAboutCredentials(answer: Exchange): void {
  assumeEndpointExists(answer);
  const status = answer.response?.status ?? 0;
  if (status < 500) return;
  const reason = `${requestInWords(answer)} is answered with ${status}, which says nothing about the credential`;
  throw new Inconclusive(reason, answer);
}

function allRefused(attempts: readonly Exchange[], control: Exchange): void {
  for (const attempt of attempts) expect(attempt).toBeRefused({ control });
}
