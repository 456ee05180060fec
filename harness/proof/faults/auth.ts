import type { Call } from '../../reference/call.ts';
import type { EndpointName } from '../../reference/endpoint-names.ts';
import type { Defect } from '../../reference/seams.ts';
import { admit, decide } from '../decisions.ts';
import { endpointOf } from '../planting.ts';
import type { Fault } from './fault.ts';

// Keys that are not asked for, not looked up, or looked for in the wrong header, endpoint by endpoint.

/** What is taken from everything that a request could show as a key. */
type Placement = 'bearer' | 'x-api-key' | 'vendorb-api-key';

const notBearer = ['x-api-key', 'vendorb-api-key'] as const;
const notMessages = ['bearer', 'vendorb-api-key'] as const;
const notGenerative = ['bearer', 'x-api-key'] as const;

/** The placements that are not an endpoint's own; none where the specification shows no own one. */
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

/** An endpoint that forgot to ask: who shows no key at all is the first user. */
function keyless(endpoint: EndpointName): Fault {
  return {
    id: `auth.keyless-${endpoint}`,
    what: `The endpoint ${endpoint} serves requests that show no key.`,
    breaks: [`access/credentials.key-required:${endpoint}`],
    override: admit(
      (secret, call) => isAt(endpoint, call) && secret === undefined && showsNoKey(call),
    ),
  };
}

/** An endpoint that checks that there is a key, and not which. */
function anyKey(endpoint: EndpointName): Fault {
  return {
    id: `auth.any-key-${endpoint}`,
    what: `The endpoint ${endpoint} takes a key that does not exist for one that does.`,
    breaks: [`access/credentials.unknown-key-refused:${endpoint}`],
    override: admit((secret, call) => isAt(endpoint, call) && secret !== undefined),
  };
}

/** Documented in one place, built in another: the key is looked for where nobody sends it. */
function otherHeader(endpoint: EndpointName): Fault {
  return {
    id: `auth.other-header-${endpoint}`,
    what: `The endpoint ${endpoint} looks for the key in the header \`api-key\` only.`,
    breaks: [`access/credentials.own-header-served:${endpoint}`],
    override: decide(
      'credential',
      (native) => (place, call) =>
        endpointOf(call) === endpoint
          ? native({ header: 'api-key', scheme: null }, call)
          : native(place, call),
    ),
  };
}

/** One piece of middleware for all protocols, which takes the first key that it finds. */
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

export const authFaults: readonly Fault[] = [
  ...names.map(keyless),
  ...names.map(anyKey),
  ...names.map(otherHeader),
  // A key that deletes a response leaves nothing for the next: one fault for each placement.
  ...names.filter((name) => foreign[name].length > 0 && name !== 'delete').map(anyHeader),
  ...notBearer.map(
    (placement): Fault => ({
      id: `auth.${placement}-on-delete`,
      what: `A delete takes a key from ${placement} as well.`,
      breaks: [`access/credentials.foreign-header-refused:delete.${placement}`],
      override: elsewhere('delete', [placement]),
    }),
  ),
  {
    id: 'auth.bearer-on-messages',
    what: 'Messages takes `Authorization: Bearer` as well as `x-api-key`.',
    breaks: ['access/credentials.foreign-header-refused:messages.bearer'],
    override: elsewhere('messages', ['bearer']),
  },
  {
    id: 'auth.x-api-key-on-responses',
    what: 'Responses takes `x-api-key` as well as `Authorization: Bearer`.',
    breaks: ['access/credentials.foreign-header-refused:responses.x-api-key'],
    override: elsewhere('responses', ['x-api-key']),
  },
];
