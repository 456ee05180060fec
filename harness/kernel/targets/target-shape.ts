import {
  type Capability,
  type ClientSubject,
  capabilities,
  finite,
  flag,
  kind,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  orNull,
  protocols,
  type Read,
  type RestrictionFlags,
  restrictionFields,
  shownCredentials,
  text,
} from '../core/index.ts';
import {
  type DeclaredBehaviour,
  keyNames,
  type ProtocolPlaces,
  type Providers,
  playedProtocols,
  type Target,
  type Tls,
} from './target.ts';

const headers = mapOf(text);
const capability = kind('a capability', (value): value is Capability =>
  capabilities.some((one) => one === value),
);

const place = objectOf({}, { baseUrl: text, headers });
const places: Read<ProtocolPlaces> = objectOf(
  {},
  Object.fromEntries([...protocols, 'models'].map((name) => [name, place])),
);

const file = objectOf({ path: text, pem: text });
const tls: Read<Tls> = objectOf({}, { ca: file, certificate: file, key: file, passphrase: text });

const client: Read<ClientSubject> = objectOf(
  { command: listOf(text), tasks: flag, speaks: listOf(oneOf(...protocols)) },
  {
    adapter: text,
    version: text,
    with: text,
    withSha256: text,
    upstreamOf: objectOf({ front: text, model: text }),
  },
);

const providers: Read<Providers> = objectOf({
  listen: listOf(objectOf({ name: text, at: text })),
  keys: mapOf(text),
  routes: listOf(
    objectOf({ model: text, asks: oneOf(...playedProtocols), as: text, at: listOf(text) }),
  ),
});
const gateway: Read<DeclaredBehaviour> = objectOf(
  {},
  {
    retries: listOf(objectOf({ on: listOf(text), times: finite })),
    fallback: objectOf({ on: listOf(text) }),
    adds: listOf(text),
    drops: listOf(text),
  },
);

const json = kind('JSON', (value): value is unknown => value !== undefined);
const credentialHeaders = listOf(oneOf('bearer', 'x-api-key', 'vendorB-api-key'));
const [first, second, third] = shownCredentials;

const required = {
  name: text,
  regions: listOf(objectOf({ name: text, baseUrl: text }, { headers, protocols: places, tls })),
  names: objectOf({ vendorA: text, vendorB: text }),
  versionDate: text,
  credentials: objectOf({ chat: text, systemone: text, models: text }),
  acceptsAlso: objectOf({
    [first]: credentialHeaders,
    [second]: credentialHeaders,
    [third]: credentialHeaders,
  }),
  identity: oneOf('ordinary', 'plain'),
  headers,
  protocols: places,
  variables: mapOf(text),
  retentionDays: finite,
  thorough: flag,
  systemone: objectOf({ dialect: oneOf('public', 'custom'), body: orNull(mapOf(json)) }),
  keys: objectOf({}, { owner: text, sameUser: text, otherUser: text, restricted: text }),
  models: listOf(
    objectOf(
      {
        id: text,
        protocols: listOf(oneOf(...protocols)),
        supports: listOf(capability),
        lacks: listOf(capability),
        permitted: orNull(listOf(oneOf(...keyNames))),
        deterministic: flag,
      },
      { regions: listOf(text) },
    ),
  ),
  probes: objectOf({ ledger: listOf(text), clock: listOf(text) }),
  probeHeaders: headers,
  limits: objectOf(
    {
      concurrency: finite,
      requestsPerSecond: orNull(finite),
      hostilePerSecond: orNull(finite),
      timeoutMs: finite,
      maxOutputTokens: finite,
      longRunTokens: finite,
      patienceMs: finite,
      consistencyMs: finite,
    },
    { mostRequestsPerSecond: finite, mostHostilePerSecond: finite },
  ),
};

/** Restrictions of a gateway, by their names in the target file. */
const restricted = Object.fromEntries(Object.values(restrictionFields).map((name) => [name, flag]));

const optional = {
  tls,
  profiles: listOf(text),
  alsoServes: listOf(text),
  client,
  providers,
  gateway,
};

/** Members that are never recorded. */
type Unrecorded = 'onlyCells' | 'proxies';

/** A member without a reader does not compile: a recording would lose it. */
type Unread = Exclude<
  keyof Target,
  keyof typeof required | keyof typeof optional | keyof RestrictionFlags | Unrecorded
>;

/** Shape of a target in a recording, without members that are never recorded. */
export const targetShape: [Unread] extends [never] ? Read<Target> : Unread = objectOf(required, {
  ...optional,
  ...restricted,
});
