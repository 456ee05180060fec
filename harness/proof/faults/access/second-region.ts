import type { Call } from '../../../reference/call.ts';
import type { EndpointName } from '../../../reference/endpoint-names.ts';
import { admit, decide, relax } from '../../decisions.ts';
import { endpointOf, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Conditions that are not checked in the second region, or for its stored responses.

const second = 'us';

function isThere({ gateway }: Call): boolean {
  return gateway.region === second;
}

/** Endpoints of the second region that need a key. */
const guarded = [
  'responses',
  'chat-completions',
  'messages',
  'generate-content',
  'systemone',
  'models',
  'catalog',
  'lookup',
] as const satisfies readonly EndpointName[];

/** One endpoint of the second region that checks no key, or not which. */
function open(endpoint: EndpointName, kind: 'keyless' | 'any-key'): Fault {
  return {
    id: `regions.${kind}-${endpoint}`,
    what:
      kind === 'keyless'
        ? `In the second region, ${endpoint} serves requests that show no key.`
        : `In the second region, ${endpoint} accepts a key that does not exist.`,
    breaks: [`access/regions.key-required:${endpoint}`],
    override: admit(
      (secret, call) =>
        isThere(call) &&
        endpointOf(call) === endpoint &&
        (secret === undefined) === (kind === 'keyless'),
    ),
  };
}

const generating = {
  responses: 'responses',
  'chat-completions': 'chat-completions',
  messages: 'messages',
  generative: 'generate-content',
  systemone: 'systemone',
} as const;

export const secondRegionFaults: readonly Fault[] = [
  ...guarded.map((endpoint) => open(endpoint, 'keyless')),
  ...guarded.map((endpoint) => open(endpoint, 'any-key')),
  ...Object.entries(generating).map(
    ([protocol, endpoint]): Fault => ({
      id: `regions.any-model-${protocol}`,
      what: `In the second region, ${endpoint} serves every model to every key.`,
      breaks: [`access/regions.unpermitted-model-refused:${protocol}`],
      override: relax(
        'mayUseModel',
        (_key, _model, call) => isThere(call) && endpointOf(call) === endpoint,
      ),
    }),
  ),
  ...(['list', 'catalog'] as const).map(
    (listing): Fault => ({
      id: `regions.${listing}-unfiltered`,
      what: `In the second region, the ${listing} shows every model to every key.`,
      breaks: [`access/regions.lists-permitted-only:${listing}`],
      override: decide('listedModels', (native) => (key, call) => {
        const models = native(key, call);
        const [owner = key] = call.gateway.keys;
        const open = isThere(call) && call.operation === `models.${listing}`;
        return open ? native(owner, call) : models;
      }),
    }),
  ),
  ...(['lookup', 'input-items', 'continue', 'cancel', 'delete'] as const).map(
    (operation): Fault => ({
      id: `regions.${operation}-from-first`,
      what: `The operation ${operation} reaches stored responses of the second region through the first.`,
      breaks: [`access/regions.first-region-denied:${operation}`],
      override: relax(
        'isOriginalRegion',
        (access) => access.operation === operation && access.record.region === second,
      ),
    }),
  ),
  ...(['lookup', 'input-items', 'continue'] as const).map(
    (operation): Fault => ({
      id: `regions.any-user-${operation}`,
      what: `In the second region, the operation ${operation} reaches the stored responses of every user.`,
      breaks: [`access/regions.other-user-denied:${operation}`],
      override: relax(
        'isSameUser',
        (access) => access.operation === operation && isThere(access.call),
      ),
    }),
  ),
  ...(['lookup', 'continue'] as const).map(
    (operation): Fault => ({
      id: `regions.unstored-${operation}`,
      what: `In the second region, the operation ${operation} reaches responses that were not stored.`,
      breaks: [`access/regions.unstored-denied:${operation}`],
      override: together(
        relax('keepsContent', (_execution, call) => isThere(call)),
        relax('isStored', (access) => access.operation === operation && isThere(access.call)),
      ),
    }),
  ),
];
