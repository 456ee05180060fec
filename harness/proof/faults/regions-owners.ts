import { isArray, isObject, type Json } from '../../reference/json.ts';
import type { Context, Defect } from '../../reference/seams.ts';
import type { StoredOperation } from '../../reference/store.ts';
import { relax, tighten } from '../decisions.ts';
import { memberAt, set } from '../editing.ts';
import { bodies, errorBodies, handling, together } from '../planting.ts';
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
      `access/regions.other-region-denied:${operation}`,
      ...(operation === 'lookup' ? ['access/regions.denied-by-creation-mode'] : []),
    ],
    override: relax('isOriginalRegion', (access) => access.operation === operation),
  };
}

/** A replica that lost what it was given: one region denies its own responses. */
function lostIn(region: string, operation: StoredOperation): Fault {
  return {
    id: `regions.${operation}-lost-in-${region}`,
    what: `The region ${region} does not find its own stored responses for the operation ${operation}.`,
    breaks: ['access/regions.original-region-served'],
    override: tighten(
      'isOriginalRegion',
      (access) => access.operation === operation && access.call.gateway.region === region,
    ),
  };
}

/** The check of the user was forgotten for one operation. */
function anyUser(operation: StoredOperation, breaks: string): Fault {
  return {
    id: `owners.any-user-${operation}`,
    what: `The operation ${operation} reaches the stored responses of every user.`,
    breaks: operation === 'lookup' ? [breaks, 'access/owners.denied-by-creation-mode'] : [breaks],
    override: relax('isSameUser', (access) => access.operation === operation),
  };
}

/** A call that takes a response as the one before, where one check was forgotten. */
function unchecked(operation: 'compact' | 'input-tokens'): Fault[] {
  const forgotten = (
    id: string,
    what: string,
    breaks: string,
    condition: 'isOriginalRegion' | 'isModelPermitted' | 'isNotDeleted' | 'isStored',
    ...further: readonly Defect['override'][]
  ): Fault => ({
    id: `${id}-${operation}`,
    what: `The operation ${operation} reaches ${what}.`,
    breaks: [`${breaks}:${operation}`],
    override: together(
      relax(condition, (access) => access.operation === operation),
      ...further,
    ),
  });
  return [
    forgotten(
      'regions.side-door',
      'stored responses of every region',
      'access/regions.indirect-access-denied',
      'isOriginalRegion',
    ),
    forgotten(
      'permissions.side-door',
      'responses of models that the key may not use',
      'access/permissions.indirect-access-denied',
      'isModelPermitted',
    ),
    forgotten(
      'delete.side-door',
      'deleted responses',
      'storage/deletion.indirect-access-denied',
      'isNotDeleted',
      tighten('deleteRemovesContent', () => true),
    ),
    forgotten(
      'store.side-door',
      'responses that were not stored',
      'storage/responses.false-indirect-access-denied',
      'isStored',
      relax('keepsContent', () => true),
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
    breaks: [`access/owners.same-user-served:${operation}`],
    override: tighten(
      'isSameUser',
      (access) => access.operation === operation && access.key.role === 'sameUser',
    ),
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
    anyUser(operation, `access/owners.other-user-denied:${operation}`),
  ),
  {
    id: 'owners.denial-shows-input',
    what: "The denial of another user's response quotes what it was about.",
    breaks: ['access/owners.other-user-denied:lookup'],
    override: errorBodies(isAnothers, (body, { call }) => {
      const record = call.gateway.store.peek(call.params.id ?? '');
      const input = memberAt(record?.turn?.parts.request.input, '0.content.0.text') ?? '';
      return set(body, 'error.message', `You may not read the answer to "${input}".`);
    }),
  },
  ...(['compact', 'input-tokens'] as const).flatMap((operation) => [
    anyUser(operation, `access/owners.indirect-access-denied:${operation}`),
    ...unchecked(operation),
  ]),
  {
    id: 'owners.items-of-anybody',
    what: 'An item reference is followed to the items of every user.',
    breaks: ['access/owners.item-reference'],
    override: followedReferences,
  },
  ...storedOperations.map(ownKeyOnly),
  {
    id: 'owners.denial-forbidden',
    what: "Another user's response is denied with 403, and an unknown one with 404.",
    breaks: ['access/owners.denial-matches-unknown-id'],
    override: denialStatus,
  },
  {
    id: 'owners.denial-code',
    what: "The denial of another user's response has a code of its own.",
    breaks: ['access/owners.denial-matches-unknown-id'],
    override: errorBodies(isAnothers, (body) => set(body, 'error.code', 'response_not_owned')),
  },
];
