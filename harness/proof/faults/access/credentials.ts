import { type Call, type EndpointName, endpoints } from '../../../reference/index.ts';
import { admit, decide, relax } from '../../decisions.ts';
import { set, setting } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import {
  endpointOf,
  errorBodies,
  type Override,
  redirected,
  seam,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Keys that are not required, not checked, or read from the wrong header, for each endpoint.

/** Endpoints with the headers of two other protocols. */
const foreign = [
  ...besides('x-api-key', 'vendorb-api-key', 'responses', 'lookup', 'input-items', 'cancel'),
  ...besides('x-api-key', 'vendorb-api-key', 'compact', 'input-tokens', 'websocket'),
  ...besides('bearer', 'vendorb-api-key', 'messages', 'messages-count-tokens'),
  ...besides('bearer', 'x-api-key', 'generate-content', 'stream-generate-content'),
  ...besides('bearer', 'x-api-key', 'count-tokens', 'alternate-path', 'catalog'),
];

function besides(one: string, other: string, ...names: readonly EndpointName[]) {
  return names.map((endpoint) => ({ endpoint, one, other }));
}

const authFaults: readonly Fault[] = [
  ...each(endpoints, (endpoint) => ({
    'auth.keyless-{}': wrong('keyFor.none', { endpoint }),
    'auth.any-key-{}': wrong('keyFor.unknown', { endpoint }),
    'auth.other-header-{}': decide(
      'credential',
      (native) => (place, call) =>
        endpointOf(call) === endpoint
          ? native({ header: 'api-key', scheme: null }, call)
          : native(place, call),
    ),
  })),
  // A key that deletes a response leaves none for the next key, so each header has a separate fault.
  ...each(foreign, ({ endpoint, one, other }) => ({
    'auth.any-header-{endpoint}': together(
      wrong('credential.foreign', { endpoint, header: one }),
      wrong('credential.foreign', { endpoint, header: other }),
    ),
  })),
  ...each(['x-api-key', 'vendorb-api-key'], (header) => ({
    'auth.{}-on-delete': wrong('credential.foreign', { endpoint: 'delete', header }),
  })),
  ...planted({
    'auth.bearer-on-messages': wrong('credential.foreign', {
      endpoint: 'messages',
      header: 'bearer',
    }),
    'auth.x-api-key-on-responses': wrong('credential.foreign', {
      endpoint: 'responses',
      header: 'x-api-key',
    }),
  }),
];

// The version header, keys in the query or under another scheme, and keys in answers.

/** Accepts a key with another scheme than Bearer, or with none. */
function bareKey(secret: (authorization: string) => string): Override {
  return decide('credential', (native) => (place, call) => {
    const own = native(place, call);
    const { authorization } = call.headers;
    if (own !== undefined || authorization === undefined) return own;
    return place.scheme === null ? own : secret(authorization);
  });
}

const credentialFaults: readonly Fault[] = [
  ...each(['messages', 'messages-count-tokens'], (endpoint) => ({
    'auth.version-optional-{}': wrong('versionAccepted.none', { endpoint }),
    'auth.any-version-{}': wrong('versionAccepted.any', { endpoint }),
  })),
  ...each(['responses', 'chat-completions', 'messages', 'systemone'] as const, (dialect) => ({
    'auth.query-key-{}': decide('credential', (native) => (place, call) => {
      const own = native(place, call);
      if (own !== undefined || call.dialect.name !== dialect) return own;
      return call.query.get('key') ?? call.query.get('api_key') ?? undefined;
    }),
  })),
  ...planted({
    'auth.keyless-unversioned': together(
      admit((secret, { dialect: { name }, headers }) => {
        return name === 'messages' && secret === undefined && !('vendora-version' in headers);
      }),
      relax('versionAccepted', (version, { headers }) => {
        return version === undefined && !('x-api-key' in headers);
      }),
    ),
    'auth.scheme-optional': bareKey((key) => key),
    'auth.basic-scheme': bareKey((value) => {
      const encoded = /^basic +(\S+)$/i.exec(value)?.[1] ?? '';
      return Buffer.from(encoded, 'base64').toString().replace(/:$/, '');
    }),
    'auth.redirected-to-itself': redirected(
      ({ path }) => `${path}/`,
      ({ reason }, call) => reason === 'no-key' && endpointOf(call) === 'responses',
    ),
    'auth.key-in-header': seam('encode', 'headers', (native) => (kind, headers, context) => {
      const written = native(kind, headers, context);
      const { key } = context.call;
      return key === null ? written : { ...written, 'x-authenticated-as': key.secret };
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
    'auth.key-of-the-provider-in-header': seam(
      'encode',
      'headers',
      (native) => (kind, headers, context) => ({
        ...native(kind, headers, context),
        'x-upstream-authorization': 'Bearer ya29.a0AfH6SMBx4Zq9hT2mXw7RbN5cVy8KpD3s',
      }),
    ),
  }),
];

// Keys that are compared incompletely, and keys from a second header.

const dialects = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;

interface SloppyComparison {
  readonly miss: string;
  readonly does: string;
  same(shown: string, key: string): boolean;
}

/** Comparisons that ignore a part of the key. */
const sloppy: readonly SloppyComparison[] = [
  {
    miss: 'changed',
    does: 'looks at all of a key but its last character',
    same: (shown, key) => shown.length === key.length && shown.slice(0, -1) === key.slice(0, -1),
  },
  {
    miss: 'longer',
    does: 'takes whatever begins with a key',
    same: (shown, key) => shown.startsWith(key),
  },
  {
    miss: 'shorter',
    does: 'takes a key that is cut',
    same: (shown, key) => shown.length > key.length / 2 && key.startsWith(shown),
  },
  {
    miss: 'other-case',
    does: 'takes a key in any letter case',
    same: (shown, key) => shown.toLowerCase() === key.toLowerCase(),
  },
];

const headerOf = {
  bearer: () => ({ header: 'authorization', scheme: 'Bearer' }),
  'x-api-key': () => ({ header: 'x-api-key', scheme: null }),
  'vendorb-api-key': (names: Call['gateway']['names']) => ({
    header: `x-${names.vendorB}-api-key`.toLowerCase(),
    scheme: null,
  }),
};

const otherHeaders = [
  { dialect: 'responses', header: 'x-api-key' },
  { dialect: 'responses', header: 'vendorb-api-key' },
  { dialect: 'messages', header: 'bearer' },
  { dialect: 'messages', header: 'vendorb-api-key' },
  { dialect: 'generative', header: 'bearer' },
  { dialect: 'generative', header: 'x-api-key' },
] as const;

const alteredKeyFaults: readonly Fault[] = [
  ...each(
    dialects.flatMap((dialect) => sloppy.map((one) => ({ dialect, ...one }))),
    ({ dialect, same }) => ({
      'auth.key-{miss}-{dialect}': decide(
        'keyFor',
        (native) => (secret, call) =>
          native(secret, call) ??
          (call.dialect.name === dialect && secret !== undefined
            ? call.gateway.keys.find((key) => same(secret, key.secret))
            : undefined),
      ),
    }),
  ),
  ...each(dialects, (dialect) => ({
    'auth.key-empty-{}': admit((_secret, call) => {
      const { header } = call.dialect.credential(call.gateway);
      const shown = String(call.headers[header.toLowerCase()]).trim();
      return call.dialect.name === dialect && /^(bearer)?$/i.test(shown);
    }),
  })),
  ...each(otherHeaders, ({ dialect, header }) => ({
    'auth.fallback-header-{dialect}-{header}': ({ policy }) => ({
      policy: {
        keyFor: (secret, call) => {
          const key = policy.keyFor(secret, call);
          if (key !== undefined || secret === undefined || call.dialect.name !== dialect)
            return key;
          const place = headerOf[header](call.gateway.names);
          return policy.keyFor(policy.credential(place, call), call);
        },
      },
    }),
  })),
];

export const accessCredentialsFaults: readonly Fault[] = [
  ...authFaults,
  ...credentialFaults,
  ...alteredKeyFaults,
];
