import type { Call, Defect, EndpointName } from '../../../reference/index.ts';
import { admit, decide, relax } from '../../decisions.ts';
import { set, setting } from '../../editing.ts';
import { endpointOf, errorBodies, redirected } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Keys that are not required, not checked, or read from the wrong header, for each endpoint.

/** Header in which a request can show a key. */
type Placement = 'bearer' | 'x-api-key' | 'vendorb-api-key';

const notBearer = ['x-api-key', 'vendorb-api-key'] as const;
const notMessages = ['bearer', 'vendorb-api-key'] as const;
const notGenerative = ['bearer', 'x-api-key'] as const;

/** The headers of other protocols; none where the specification names no own header. */
const foreign: Readonly<Record<EndpointName, readonly Placement[]>> = {
  responses: notBearer,
  'chat-completions': [],
  messages: notMessages,
  'messages-count-tokens': notMessages,
  'generate-content': notGenerative,
  'stream-generate-content': notGenerative,
  'count-tokens': notGenerative,
  'alternate-path': notGenerative,
  systemone: [],
  models: [],
  catalog: notGenerative,
  lookup: notBearer,
  'input-items': notBearer,
  cancel: notBearer,
  delete: notBearer,
  compact: notBearer,
  'input-tokens': notBearer,
  websocket: notBearer,
};

const names = Object.keys(foreign) as readonly EndpointName[];

/** An endpoint that takes the first key that it finds in any header. */
function anyHeader(endpoint: EndpointName): Fault {
  return {
    id: `auth.any-header-${endpoint}`,
    what: `The endpoint ${endpoint} takes a key from any protocol's header.`,
    breaks: foreign[endpoint].map(
      (placement) => `access/credentials.foreign-header-refused:${endpoint}.${placement}`,
    ),
    override: elsewhere(endpoint, foreign[endpoint]),
  };
}

function elsewhere(endpoint: EndpointName, placements: readonly Placement[]): Defect['override'] {
  return decide('credential', (native) => (place, call) => {
    const own = native(place, call);
    if (own !== undefined || endpointOf(call) !== endpoint) return own;
    return shown(call).find(([placement]) => placements.includes(placement))?.[1];
  });
}

/** The recovery of a stream comes to the path of a lookup, and has faults of its own. */
function isAt(endpoint: EndpointName, call: Call): boolean {
  return endpointOf(call) === endpoint && call.operation !== 'responses.recover';
}

/** No key in any header, and none in the query. */
function showsNoKey(call: Call): boolean {
  const inQuery = call.query.has('key') || call.query.has('api_key');
  return shown(call).length === 0 && !inQuery;
}

/** The keys that a request shows in the headers of the three protocols. */
function shown({ headers, gateway }: Call): readonly (readonly [Placement, string])[] {
  const [, scheme, bearer] = /^(\S+) +(\S+)$/.exec(headers.authorization ?? '') ?? [];
  const found: readonly (readonly [Placement, unknown])[] = [
    ['bearer', scheme?.toLowerCase() === 'bearer' ? bearer : headers.authorization],
    ['x-api-key', headers['x-api-key']],
    ['vendorb-api-key', headers[`x-${gateway.names.vendorB}-api-key`.toLowerCase()]],
  ];
  return found.flatMap(([placement, key]) =>
    typeof key === 'string' ? [[placement, key] as const] : [],
  );
}

const authFaults: readonly Fault[] = [
  ...each(names, (endpoint) => ({
    'auth.keyless-{}': admit(
      (secret, call) => isAt(endpoint, call) && secret === undefined && showsNoKey(call),
    ),
  })),
  ...each(names, (endpoint) => ({
    'auth.any-key-{}': admit((secret, call) => isAt(endpoint, call) && secret !== undefined),
  })),
  ...each(names, (endpoint) => ({
    'auth.other-header-{}': decide(
      'credential',
      (native) => (place, call) =>
        endpointOf(call) === endpoint
          ? native({ header: 'api-key', scheme: null }, call)
          : native(place, call),
    ),
  })),
  // A key that deletes a response leaves nothing for the next: one fault for each placement.
  ...names.filter((name) => foreign[name].length > 0 && name !== 'delete').map(anyHeader),
  ...each(notBearer, (placement) => ({ 'auth.{}-on-delete': elsewhere('delete', [placement]) })),
  ...planted({
    'auth.bearer-on-messages': elsewhere('messages', ['bearer']),
    'auth.x-api-key-on-responses': elsewhere('responses', ['x-api-key']),
  }),
];

// The version header, keys in the query or under another scheme, and keys in answers.

/** The version header of Messages, at one of its two endpoints. */
function versionTaken(
  endpoint: 'messages' | 'messages-count-tokens',
  fits: (version: string | undefined) => boolean,
): Defect['override'] {
  return relax(
    'versionAccepted',
    (version, call) => endpointOf(call) === endpoint && fits(version),
  );
}

const versioned = ['messages', 'messages-count-tokens'] as const;

/** A key under another scheme than Bearer, or under none. */
function bareKey(id: string, what: string, secret: (authorization: string) => string): Fault {
  return {
    id,
    what,
    breaks: ['access/credentials.bearer-scheme-required'],
    override: decide('credential', (native) => (place, call) => {
      const own = native(place, call);
      const { authorization } = call.headers;
      if (own !== undefined || authorization === undefined) return own;
      return place.scheme === null ? own : secret(authorization);
    }),
  };
}

const credentialFaults: readonly Fault[] = [
  ...each(versioned, (endpoint) => ({
    'auth.version-optional-{}': versionTaken(endpoint, (version) => version === undefined),
  })),
  ...each(versioned, (endpoint) => ({
    'auth.any-version-{}': versionTaken(endpoint, (version) => version !== undefined),
  })),
  ...each(['responses', 'chat-completions', 'messages', 'systemone'] as const, (dialect) => ({
    'auth.query-key-{}': decide('credential', (native) => (place, call) => {
      const own = native(place, call);
      if (own !== undefined || call.dialect.name !== dialect) return own;
      return call.query.get('key') ?? call.query.get('api_key') ?? undefined;
    }),
  })),
  bareKey('auth.scheme-optional', 'A key without `Bearer` before it is enough.', (key) => key),
  bareKey(
    'auth.basic-scheme',
    'A key as the user name of the scheme `Basic` is enough.',
    (value) => {
      const encoded = /^basic +(\S+)$/i.exec(value)?.[1] ?? '';
      return Buffer.from(encoded, 'base64').toString().replace(/:$/, '');
    },
  ),
  ...planted({
    'auth.redirected-to-itself': redirected(
      ({ path }) => `${path}/`,
      ({ reason }, call) => reason === 'no-key' && isAt('responses', call),
    ),
    'auth.key-in-header': ({ encode }) => ({
      encode: {
        headers: (kind, headers, context) => {
          const written = encode.headers(kind, headers, context);
          const { key } = context.call;
          return key === null ? written : { ...written, 'x-authenticated-as': key.secret };
        },
      },
    }),
    'refusals.name-the-key': errorBodies(
      ({ refusal }) => refusal.reason === 'unpermitted-model',
      (body, { call }) =>
        set(body, 'error.message', `The key ${call.key?.secret} has no permission for this model.`),
    ),
    'refusals.quote-the-key-of-the-provider': errorBodies(
      ({ refusal }) => refusal.reason === 'invalid-value',
      setting(
        'error.message',
        'Incorrect API key provided: sk-proj-Zq4hT2mXw7RbN5cVy8KpD3sLr6jU. Find yours in the dashboard.',
      ),
    ),
    'auth.key-of-the-provider-in-header': ({ encode }) => ({
      encode: {
        headers: (kind, headers, context) => ({
          ...encode.headers(kind, headers, context),
          'x-upstream-authorization': 'Bearer ya29.a0AfH6SMBx4Zq9hT2mXw7RbN5cVy8KpD3s',
        }),
      },
    }),
  }),
];

// Keys that are not compared whole, and keys from a second header.

const dialects = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
  'systemone',
] as const satisfies readonly Call['dialect']['name'][];

/** Comparisons that do not look at all of a key. */
const sloppy: Readonly<
  Record<string, readonly [what: string, same: (shown: string, key: string) => boolean]>
> = {
  changed: [
    'looks at all of a key but its last character',
    (shown, key) => shown.length === key.length && shown.slice(0, -1) === key.slice(0, -1),
  ],
  longer: ['takes whatever begins with a key', (shown, key) => shown.startsWith(key)],
  shorter: [
    'takes a key that is cut',
    (shown, key) => shown.length > key.length / 2 && key.startsWith(shown),
  ],
  'other-case': [
    'takes a key in any letter case',
    (shown, key) => shown.toLowerCase() === key.toLowerCase(),
  ],
};

function almost(dialect: Call['dialect']['name'], miss: string): Fault {
  const [what = '', same = () => false] = sloppy[miss] ?? [];
  return {
    id: `auth.key-${miss}-${dialect}`,
    what: `${dialect} ${what}.`,
    breaks: [`access/credentials.altered-key-refused:${dialect}.${miss}`],
    override: decide(
      'keyFor',
      (native) => (secret, call) =>
        native(secret, call) ??
        (call.dialect.name === dialect && secret !== undefined
          ? call.gateway.keys.find((key) => same(secret, key.secret))
          : undefined),
    ),
  };
}

/** An empty credential header is enough. */
function nothing(dialect: Call['dialect']['name']): Fault {
  return {
    id: `auth.key-empty-${dialect}`,
    what: `${dialect} serves a request whose credential header shows no key.`,
    breaks: [`access/credentials.altered-key-refused:${dialect}.empty`],
    override: admit((_secret, call) => {
      const { header } = call.dialect.credential(call.gateway);
      const shown = String(call.headers[header.toLowerCase()]).trim();
      return call.dialect.name === dialect && /^(bearer)?$/i.test(shown);
    }),
  };
}

const headers = ['bearer', 'x-api-key', 'vendorb-api-key'] as const;

/** Makes a fault that tries another header if the own header shows an unknown key. */
function secondLook(
  dialect: 'responses' | 'messages' | 'generative',
  header: (typeof headers)[number],
): Fault {
  return {
    id: `auth.fallback-header-${dialect}-${header}`,
    what: `Where its own header shows a key that does not exist, ${dialect} looks at ${header}, too.`,
    breaks: [`access/credentials.own-header-decides:${dialect}.${header}`],
    override: (seams) =>
      decide('keyFor', (native) => (secret, call) => {
        const key = native(secret, call);
        if (key !== undefined || secret === undefined || call.dialect.name !== dialect) return key;
        const place = {
          bearer: { header: 'authorization', scheme: 'Bearer' },
          'x-api-key': { header, scheme: null },
          'vendorb-api-key': {
            header: `x-${call.gateway.names.vendorB}-api-key`.toLowerCase(),
            scheme: null,
          },
        }[header];
        return native(seams.policy.credential(place, call), call);
      })(seams),
  };
}

const ownHeader = { responses: 'bearer', messages: 'x-api-key', generative: 'vendorb-api-key' };

const alteredKeyFaults: readonly Fault[] = [
  ...dialects.flatMap((dialect) => [
    ...Object.keys(sloppy).map((miss) => almost(dialect, miss)),
    nothing(dialect),
  ]),
  ...(['responses', 'messages', 'generative'] as const).flatMap((dialect) =>
    headers
      .filter((header) => header !== ownHeader[dialect])
      .map((header) => secondLook(dialect, header)),
  ),
];

export const accessCredentialsFaults: readonly Fault[] = [
  ...authFaults,
  ...credentialFaults,
  ...alteredKeyFaults,
];
