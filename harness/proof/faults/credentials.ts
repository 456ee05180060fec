import type { Call } from '../../reference/call.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide, relax } from '../decisions.ts';
import { set } from '../editing.ts';
import { endpointOf, errorBodies } from '../planting.ts';
import type { Fault } from './fault.ts';

// The version header, keys in the query or under another scheme, and keys that are shown.

/** `?key=` and `?api_key=`, as some gateways take them. */
function queryKey(dialect: Call['dialect']['name']): Fault {
  return {
    id: `auth.query-key-${dialect}`,
    what: `A key in the query is enough on ${dialect}.`,
    breaks: [`access/credentials.query-key-refused:${dialect}`],
    override: decide('credential', (native) => (place, call) => {
      const own = native(place, call);
      if (own !== undefined || call.dialect.name !== dialect) return own;
      return call.query.get('key') ?? call.query.get('api_key') ?? undefined;
    }),
  };
}

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

export const credentialFaults: readonly Fault[] = [
  ...versioned.map(
    (endpoint): Fault => ({
      id: `auth.version-optional-${endpoint}`,
      what: `The version header may be left out at ${endpoint}.`,
      breaks: [`access/credentials.messages-version-required:${endpoint}`],
      override: versionTaken(endpoint, (version) => version === undefined),
    }),
  ),
  ...versioned.map(
    (endpoint): Fault => ({
      id: `auth.any-version-${endpoint}`,
      what: `The version header may say anything at ${endpoint}.`,
      breaks: [`access/credentials.version-is-a-date:${endpoint}`],
      override: versionTaken(endpoint, (version) => version !== undefined),
    }),
  ),
  ...(['responses', 'chat-completions', 'messages', 'systemone'] as const).map(queryKey),
  bareKey('auth.scheme-optional', 'A key without `Bearer` before it is enough.', (key) => key),
  bareKey(
    'auth.basic-scheme',
    'A key as the user name of the scheme `Basic` is enough.',
    (value) => {
      const encoded = /^basic +(\S+)$/i.exec(value)?.[1] ?? '';
      return Buffer.from(encoded, 'base64').toString().replace(/:$/, '');
    },
  ),
  {
    id: 'auth.key-in-header',
    what: 'Answers repeat the key in a header, for debugging.',
    breaks: ['access/credentials.key-not-echoed'],
    override: ({ encode }) => ({
      encode: {
        headers: (kind, headers, context) => {
          const written = encode.headers(kind, headers, context);
          const { key } = context.call;
          return key === null ? written : { ...written, 'x-authenticated-as': key.secret };
        },
      },
    }),
  },
  {
    id: 'refusals.name-the-key',
    what: 'The refusal of a model names the key that may not use it.',
    breaks: ['access/credentials.key-not-echoed'],
    shownBy: ['access/permissions.unpermitted-model-refused'],
    override: errorBodies(
      ({ refusal }) => refusal.reason === 'unpermitted-model',
      (body, { call }) =>
        set(body, 'error.message', `The key ${call.key?.secret} has no permission for this model.`),
    ),
  },
];
