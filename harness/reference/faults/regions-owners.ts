import { memberAt, set } from '../editing.ts';
import { isArray, isObject, type Json } from '../json.ts';
import { bodies, errorBodies, handling, together } from '../planting.ts';
import type { Policy } from '../policy.ts';
import type { Context, Defect } from '../seams.ts';
import type { Access, StoredOperation } from '../store.ts';
import { whileRunning } from './consequences.ts';
import type { Fault } from './fault.ts';

// Who reaches a stored response, and where.

/** What can be done with a stored response, by the names that the ids of checks give it. */
export const storedOperations = [
  'lookup',
  'input-items',
  'continue',
  'continue-websocket',
  'recover',
  'cancel',
  'delete',
] as const satisfies readonly StoredOperation[];

/** The check of the region was forgotten for one operation. */
function anywhere(operation: StoredOperation): Fault {
  return {
    id: `regions.${operation}-anywhere`,
    what: `The operation ${operation} reaches stored responses of every region.`,
    breaks: [
      `rules/regions.other-region-denied:${operation}`,
      ...(operation === 'lookup' ? ['rules/regions.otherwise-made-denied'] : []),
    ],
    mayAlso: [
      'rules/regions.first-region-denied',
      ...whileRunning('rules/regions.running-denied', operation),
      ...(operation === 'continue' ? ['rules/regions.otherwise-made-denied'] : []),
      ...(operation === 'continue-websocket' ? ['rules/regions.later-turn-denied'] : []),
    ],
    override: ({ policy }) => ({
      policy: {
        isOriginalRegion: (access) =>
          access.operation === operation || policy.isOriginalRegion(access),
      },
    }),
  };
}

/** A replica that lost what it was given: one region denies its own responses. */
function lostIn(region: string, operation: StoredOperation): Fault {
  return {
    id: `regions.${operation}-lost-in-${region}`,
    what: `The region ${region} does not find its own stored responses for the operation ${operation}.`,
    breaks: ['rules/regions.original-region-served'],
    override: ({ policy }) => ({
      policy: {
        isOriginalRegion: (access) => {
          const lost = access.operation === operation && access.call.gateway.region === region;
          return !lost && policy.isOriginalRegion(access);
        },
      },
    }),
  };
}

/** The check of the user was forgotten for one operation. */
function anyUser(operation: StoredOperation, breaks: string): Fault {
  return {
    id: `owners.any-user-${operation}`,
    what: `The operation ${operation} reaches the stored responses of every user.`,
    breaks: operation === 'lookup' ? [breaks, 'rules/owners.otherwise-made-denied'] : [breaks],
    mayAlso: [
      'rules/regions.other-user-denied',
      ...whileRunning('rules/owners.running-denied', operation),
      ...(operation === 'continue' ? ['rules/owners.otherwise-made-denied'] : []),
      ...(operation === 'continue-websocket' ? ['rules/owners.later-turn-denied'] : []),
    ],
    override: ({ policy }) => ({
      policy: {
        isSameUser: (access) => access.operation === operation || policy.isSameUser(access),
      },
    }),
  };
}

/** A call that takes a response as the one before, where one check was forgotten. */
function unchecked(operation: 'compact' | 'input-tokens'): Fault[] {
  const forgotten = (
    id: string,
    what: string,
    breaks: string,
    condition: 'isOriginalRegion' | 'isModelPermitted' | 'isNotDeleted' | 'isStored',
    further: Partial<Policy> = {},
  ): Fault => ({
    id: `${id}-${operation}`,
    what: `The operation ${operation} reaches ${what}.`,
    breaks: [`${breaks}:${operation}`],
    override: ({ policy }) => ({
      policy: {
        [condition]: (access: Access) =>
          access.operation === operation || policy[condition](access),
        ...further,
      },
    }),
  });
  return [
    forgotten(
      'regions.side-door',
      'stored responses of every region',
      'rules/regions.no-side-door',
      'isOriginalRegion',
    ),
    forgotten(
      'permissions.side-door',
      'responses of models that the key may not use',
      'rules/permissions.no-side-door',
      'isModelPermitted',
    ),
    forgotten(
      'delete.side-door',
      'deleted responses',
      'responses/delete.no-side-door',
      'isNotDeleted',
      { deleteRemovesContent: () => false },
    ),
    forgotten(
      'store.side-door',
      'responses that were not stored',
      'responses/store.false-no-side-door',
      'isStored',
      { keepsContent: () => true },
    ),
  ];
}

/** Items are looked up by their id alone. */
const followedReferences: Defect['override'] = (seams) => {
  const items = new Map<unknown, Json>();
  const remembering = bodies('responses.response', (body) => {
    for (const item of isArray(body.output) ? body.output : []) {
      if (isObject(item)) items.set(item.id, item);
    }
    return body;
  });
  const following = handling('responses.create', (handle) => (call, key) => {
    const { input } = call.body;
    if (!isArray(input)) return handle(call, key);
    const followed = input.map((item) =>
      isObject(item) && item.type === 'item_reference' ? (items.get(item.id) ?? item) : item,
    );
    return handle({ ...call, body: { ...call.body, input: followed } }, key);
  });
  return together(remembering, following)(seams);
};

/** Responses belong to the key that made them, and not to its user. */
function ownKeyOnly(operation: StoredOperation): Fault {
  return {
    id: `owners.own-key-only-${operation}`,
    what: `The operation ${operation} is denied to the user's second key.`,
    breaks: [`rules/owners.same-user-served:${operation}`],
    override: ({ policy }) => ({
      policy: {
        isSameUser: (access) => {
          const second = access.key.role === 'sameUser';
          return !(second && access.operation === operation) && policy.isSameUser(access);
        },
      },
    }),
  };
}

/** A refused lookup of a response that there is, and that is another user's. */
function isAnothers({ call, refusal }: Context): boolean {
  if (call.operation !== 'responses.lookup' || refusal?.reason !== 'unknown-response') return false;
  const record = call.gateway.store.peek(call.params.id ?? '');
  return record !== undefined && record.owner !== call.key?.user;
}

const denialStatus: Defect['override'] = ({ encode }) => ({
  encode: {
    status: (kind, status, context) =>
      isAnothers(context) ? 403 : encode.status(kind, status, context),
  },
});

export const regionsOwnersFaults: readonly Fault[] = [
  ...storedOperations.map(anywhere),
  lostIn('us', 'lookup'),
  lostIn('us', 'continue'),
  ...storedOperations.map((operation) =>
    anyUser(operation, `rules/owners.other-user-denied:${operation}`),
  ),
  {
    id: 'owners.denial-shows-input',
    what: "The denial of another user's response quotes what it was about.",
    breaks: ['rules/owners.other-user-denied:lookup'],
    mayAlso: ['rules/owners.running-denied:lookup', 'rules/regions.other-user-denied:lookup'],
    override: errorBodies(isAnothers, (body, { call }) => {
      const record = call.gateway.store.peek(call.params.id ?? '');
      const input = memberAt(record?.turn?.parts.request.input, '0.content.0.text') ?? '';
      return set(body, 'error.message', `You may not read the answer to "${input}".`);
    }),
  },
  ...(['compact', 'input-tokens'] as const).flatMap((operation) => [
    anyUser(operation, `rules/owners.no-side-door:${operation}`),
    ...unchecked(operation),
  ]),
  {
    id: 'owners.items-of-anybody',
    what: 'An item reference is followed to the items of every user.',
    breaks: ['rules/owners.item-reference'],
    override: followedReferences,
  },
  ...storedOperations.map(ownKeyOnly),
  {
    id: 'owners.denial-forbidden',
    what: "Another user's response is denied with 403, and an unknown one with 404.",
    breaks: ['rules/owners.denial-like-unknown'],
    override: denialStatus,
  },
  {
    id: 'owners.denial-code',
    what: "The denial of another user's response has a code of its own.",
    breaks: ['rules/owners.denial-like-unknown'],
    override: errorBodies(isAnothers, (body) => set(body, 'error.code', 'response_not_owned')),
  },
];
