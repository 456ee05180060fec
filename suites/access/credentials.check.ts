import {
  type Call,
  type CallOptions,
  type Captures,
  check,
  credentials,
  type EndpointName,
  type Exchange,
  each,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  type JudgeContext,
  NothingToJudge,
  type Protocol,
  permittedKeys,
  protocolModules,
  protocols,
  redirectedTo,
  requestInWords,
  scenario,
  type Variation,
  view,
} from '../../harness/index.ts';
import { baseline, refusedCost } from '../scenarios/baselines.ts';
import { assumeDistinctIds, present } from '../scenarios/exchanges.ts';
import { inventedModel } from '../scenarios/generations/generation-calls.ts';
import {
  credentialAttempts,
  isAccepted,
  notAccepted,
} from '../scenarios/requests/credential-attempts.ts';
import { assumeOfferedThere, modelEndpoints } from '../scenarios/requests/models.ts';
import { formsOf } from '../scenarios/requests/request-forms.ts';
import { assumeCancelledInTime, cancelled } from '../scenarios/running/background-runs.ts';
import { recoverable, served } from '../scenarios/stored/served-operations.ts';
import { witness } from '../scenarios/stored/stored-responses.ts';

interface Answered {
  readonly baseline: Exchange;
  /** Another answer of the same kind. */
  readonly other?: Exchange;
  /** Lookups after a cancel: the cancel of a run that had ended may be refused. */
  readonly lookups?: readonly Exchange[];
}

/** Answer of each endpoint to its own credential header. */
const withOwnHeader: Readonly<Record<EndpointName, Captures<Answered>>> = {
  ...baseline,
  responses: view(
    { baseline: baseline.responses, witness },
    ({ baseline: { baseline }, witness }) => ({ baseline, other: witness.created }),
  ),
  cancel: view({ cancelled }, ({ cancelled: { cancel, lookups } }) => ({
    baseline: cancel,
    lookups,
  })),
};

check.each('access/credentials.own-header-served', (endpoint: EndpointName) => ({
  on: withOwnHeader[endpoint],
  judge: ({ baseline, other, lookups }, { region }) => {
    assumeAboutCredentials(baseline);
    assumeOfferedThere(baseline, region);
    if (lookups !== undefined) assumeCancelledInTime({ cancel: baseline, lookups });
    expect(baseline).toBeServed();
    if (other !== undefined) assumeDistinctIds([baseline], [other]);
  },
}));

/** Leaves a check undecided if the endpoint fails or does not exist, because another requirement covers that. */
function assumeAboutCredentials(answer: Exchange): void {
  assumeEndpointExists(answer);
  const status = answer.response?.status ?? 0;
  if (status < 500) return;
  const reason = `${requestInWords(answer)} is answered with ${status}, which says nothing about the credential`;
  throw new Inconclusive(reason, answer);
}

check.each('access/credentials.key-required', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ keyless, control }, context) => allRefused(keyless, control, context),
}));

/** Judges that every attempt is refused. A redirect to a sign-in page counts as a refusal, and is noted. */
function allRefused(
  attempts: readonly Exchange[],
  control: Exchange,
  { note }: JudgeContext,
): void {
  for (const attempt of attempts) {
    expect(attempt).toBeRefused({ control, signIn: true });
    const elsewhere = redirectedTo(attempt);
    if (elsewhere === null) continue;
    note(
      `${requestInWords(attempt)} is not refused with 4xx, but redirected to ${elsewhere}`,
      attempt,
    );
  }
}

check.each('access/credentials.unknown-key-refused', (endpoint: EndpointName) => ({
  on: credentialAttempts[endpoint],
  judge: ({ unknownKey, control }, context) => allRefused(unknownKey, control, context),
}));

check.each(
  'access/credentials.foreign-header-refused',
  (endpoint: EndpointName, header: string) => ({
    on: credentialAttempts[endpoint],
    judge: ({ misplaced, control }, context) =>
      allRefused([notAccepted(misplaced, header)], control, context),
  }),
);

/** Requests the events of a stored response without its key, and with a key that does not exist. */
const recoveryWithoutKey = each(['none', 'unknown'], (key) =>
  scenario(
    `access/credentials/recovery/${key}`,
    {
      hostile: 'credentials',
      after: { stored: recoverable, control: served.recover },
      cost: { requests: 1, generations: 0 },
    },
    async ({ responses }, { stored: { id, secret }, control }) => ({
      attempt: await responses.recover(id, { startingAfter: 0 }, { key }),
      control: control.served,
      secret,
    }),
  ),
);

check.each('access/credentials.recovery-needs-key', (key: 'none' | 'unknown') => ({
  on: recoveryWithoutKey[key],
  judge: ({ attempt, control, secret }) => {
    expect(attempt).toBeDenied({ secret: [secret], control });
  },
}));

/** Requests with other credentials than those of the baseline, all of which have to be refused. */
function refusedAttempts<Attempts extends object>(
  name: string,
  endpoint: EndpointName,
  requests: number,
  attempt: (io: Io, input: string) => Promise<Attempts>,
) {
  return scenario(
    `access/credentials/${name}`,
    {
      hostile: 'credentials',
      after: { baseline: baseline[endpoint] },
      cost: { ...refusedCost(endpoint, requests), chain: 1 },
    },
    async (io, { baseline: { baseline: control, input } }) => ({
      control,
      ...(await attempt(io, input)),
    }),
  );
}

/** Keys that differ slightly from the owner's, by the values of the catalogue. */
const alterations = {
  changed: 'changed',
  longer: 'longer',
  shorter: 'shorter',
  'other-case': 'otherCase',
  empty: 'empty',
} as const;

type Alteration = keyof typeof alterations;

/** Baseline request of each protocol with such a key. */
const alteredKeys = each(protocols, (protocol) =>
  each(Object.keys(alterations) as Alteration[], (alteration) => {
    const name = protocolModules[protocol].mainEndpoint;
    return refusedAttempts(
      `altered/${protocol}/${alteration}`,
      name,
      1,
      async ({ ask }, input) => ({
        attempt: await ask(name, { input }, { key: alterations[alteration] }),
      }),
    );
  }),
);

check.each(
  'access/credentials.altered-key-refused',
  (protocol: Protocol, alteration: Alteration) => ({
    on: alteredKeys[protocol][alteration],
    judge: ({ attempt, control }, context) => allRefused([attempt], control, context),
  }),
);

/** A key that does not exist in the protocol's own header, and the owner's key in another protocol's header. */
const besideForeign = each(protocols, (protocol) => {
  const name = protocolModules[protocol].mainEndpoint;
  return refusedAttempts(`beside-foreign/${protocol}`, name, 2, async ({ ask, target }, input) => {
    const others = credentials
      .foreignHeaders(protocol)
      .filter((one) => !isAccepted(target, protocol, one));
    const attempts = await Promise.all(
      others.map(async (beside) => {
        const attempt = await ask(name, { input }, { key: 'unknown', beside });
        return [beside.toLowerCase(), attempt] as const;
      }),
    );
    return { attempts: new Map(attempts) };
  });
});

check.each('access/credentials.own-header-decides', (protocol: Protocol, header: string) => ({
  on: besideForeign[protocol],
  judge: ({ attempts, control }, context) =>
    allRefused([notAccepted(attempts, header)], control, context),
}));

type VersionedEndpoint = Extract<EndpointName, 'messages' | 'messages-count-tokens'>;

/** Requests over the Messages protocol with its key, and without a version header or with an invalid or empty one. */
const versions = each(['messages', 'messages-count-tokens'], versionsAt);

function versionsAt(name: VersionedEndpoint) {
  const forms = formsOf(name);
  return refusedAttempts(`version/${name}`, name, 2 * forms.length + 1, async ({ ask }, input) => {
    const inEachForm = (version: string | null) =>
      Promise.all(forms.map((change) => ask(name, { input, change }, { version })));
    const [none, noDate, empty] = await Promise.all([
      inEachForm(null),
      inEachForm('latest'),
      ask(name, { input }, { version: '' }),
    ]);
    return { none, noDate: [...noDate, empty] };
  });
}

check.each('access/credentials.messages-version-required', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ none, control }) => {
    for (const attempt of none) expect(attempt).toBeRefused({ control });
  },
}));

check.each('access/credentials.version-is-a-date', (endpoint: VersionedEndpoint) => ({
  on: versions[endpoint],
  judge: ({ noDate, control }) => {
    for (const attempt of noDate) expect(attempt).toBeRefused({ control });
  },
}));

/** Requests that two reasons forbid: the key, the model, the version header or the kind of run. */
const inTwos = Object.fromEntries(
  modelEndpoints.map(({ name, protocol }, n) => {
    const isVersioned = protocol === 'messages';
    const number = isVersioned || name === 'responses' ? 4 : 2;
    const tried = refusedAttempts(`two-reasons/${name}`, name, number, async (io, input) => {
      const { models, keys } = io.target;
      const others = models.filter((one) => !one.protocols.some((own) => own === protocol));
      const barred = others.find((one) => !permittedKeys(one).includes('restricted'));
      const lacking = models.find(({ lacks }) => lacks.includes('background'));
      const body = { background: true, store: false };
      const inBackground = {
        change: (call: Call) => ({ ...call, body: { ...Object(call.body), ...body } }),
      };
      const ask = (model: string | undefined, as: CallOptions, more: Variation = {}) => {
        return [io.ask(name, { input, ...(model === undefined ? {} : { model }), ...more }, as)];
      };
      const unknown = inventedModel(io);
      const isBarred = barred !== undefined && keys.restricted !== undefined;
      const attempts = await Promise.all([
        // Endpoints take turns.
        ...ask(n % 2 === 0 ? unknown : (others[0]?.id ?? unknown), { key: 'none' }),
        ...(isBarred ? ask(barred.id, { key: 'restricted' }) : []),
        ...(isVersioned ? ask(undefined, { key: 'none', version: null }) : []),
        ...(isVersioned ? ask(unknown, { version: null }) : []),
        ...(name === 'responses' ? ask(undefined, { key: 'none' }, inBackground) : []),
        ...(name === 'responses' && lacking !== undefined ? ask(lacking.id, {}, inBackground) : []),
      ]);
      return { attempts };
    });
    return [name, tried];
  }),
);

check.each('access/credentials.two-reasons-refused', (endpoint: string) => ({
  on: present(inTwos[endpoint], endpoint),
  judge: ({ attempts, control }) => {
    for (const one of attempts) {
      expect(one).toBeRefused({ control, signIn: true, capability: true });
    }
  },
}));

/** Key only in the query, under both parameter names that gateways know. */
const keyInQuery = each(protocols, (protocol) => {
  const name = protocolModules[protocol].mainEndpoint;
  return refusedAttempts(`query/${protocol}`, name, 2, async ({ ask }, input) => ({
    attempts: await Promise.all([
      ask(name, { input }, { placement: 'query-key' }),
      ask(name, { input }, { placement: 'query-api_key' }),
    ]),
  }));
});

check.each('access/credentials.query-key-refused', (protocol: Protocol) => ({
  on: keyInQuery[protocol],
  judge: ({ attempts, control }, context) => allRefused(attempts, control, context),
}));

/** Key in the `Authorization` header, but not as a Bearer token. */
const otherSchemes = refusedAttempts('schemes', 'responses', 2, async ({ ask }, input) => ({
  attempts: await Promise.all([
    ask('responses', { input }, { placement: 'bare' }),
    ask('responses', { input }, { placement: 'basic' }),
  ]),
}));

check(
  'access/credentials.bearer-scheme-required',
  otherSchemes,
  ({ attempts, control }, context) => {
    allRefused(attempts, control, context);
  },
);

everywhere(
  'access/credentials.key-not-echoed',
  { least: baseline.models, which: () => true, partial: true },
  (exchange, { target }) => {
    const { about, echoed } = exchange;
    if (echoed.length === 0) {
      if (about.key === 'none' || target.keys.owner === undefined) {
        throw new NothingToJudge('it was sent without a key');
      }
      if (!credentials.isSought(about.key, target.keys)) {
        throw new NothingToJudge('its key is so short that it stands in other words, too');
      }
    }
    expectValue(echoed.join(', '), { as: 'keys in the answer', of: exchange }).toEqual('');
  },
);

everywhere(
  'access/credentials.no-key-shown',
  { least: baseline.models, which: ({ response }) => response !== null, partial: true },
  (exchange) => {
    expectValue(credentials.shownIn(exchange).join('; '), {
      as: 'what has the shape of a key',
      of: exchange,
    }).toEqual('');
  },
);

/**
 * Leaves a check undecided if the endpoint does not exist: a missing endpoint refuses every request, which proves
 * nothing about its refusals. A missing endpoint fails a separate requirement.
 *
 * @param baseline the answer to a good request
 */
function assumeEndpointExists(baseline: Exchange): void {
  const status = baseline.response?.status ?? 0;
  if (![404, 405, 410].includes(status)) return;
  const reason = `${requestInWords(baseline)} is answered with ${status}, though it is a good request: the endpoint, or what it acts on, is not there`;
  throw new Inconclusive(reason, baseline);
}
