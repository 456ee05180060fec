import {
  type Access,
  type Context,
  isArray,
  isObject,
  type Json,
  type Key,
  type Operation,
  type ResponseTurn,
  type StoredResponse,
} from '../../../reference/index.ts';
import { relax } from '../../decisions.ts';
import { memberAt, set, setting } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import {
  bodies,
  errorBodies,
  handling,
  type Override,
  seam,
  storedOperations,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Faults in access to a stored response, by key or by region.

/** Resolves item references by their id alone, for matching keys. */
function followedReferences(fits: (key: Key) => boolean): Override {
  return (seams) => {
    const items = new Map<unknown, Json>();
    const remembering = bodies('responses.response', (body) => {
      for (const item of isArray(body.output) ? body.output : []) {
        if (isObject(item)) items.set(item.id, item);
      }
      return body;
    });
    const following = handling('responses.create', (handle) => (call, key) => {
      const { input } = call.body;
      if (!isArray(input) || !fits(key)) return handle(call, key);
      const followed = input.map((item) =>
        isObject(item) && item.type === 'item_reference' ? (items.get(item.id) ?? item) : item,
      );
      return handle({ ...call, body: { ...call.body, input: followed } }, key);
    });
    return together(remembering, following)(seams);
  };
}

type Denies = (record: StoredResponse, context: Context) => boolean;

const isOfAnotherUser: Denies = ({ owner }, { call }) => owner !== call.key?.user;

const isAnothersRun: Denies = (record, context) =>
  isOfAnotherUser(record, context) && record.background && record.turn?.finished === false;

const isOfAnotherModel: Denies = ({ owner, model }, { call: { key } }) =>
  key !== null && owner === key.user && !model.permitted.includes(key.role);

/** Returns the response to which access was denied; undefined for a refusal with another reason. */
function deniedTo(
  operation: Operation,
  denies: Denies,
  context: Context,
): StoredResponse | undefined {
  const { call, refusal } = context;
  if (call.operation !== operation) return;
  const named = {
    'unknown-response': call.params.id,
    'unknown-previous-response': call.body.previous_response_id,
  };
  const reason = refusal?.reason;
  if (reason !== 'unknown-response' && reason !== 'unknown-previous-response') return;
  const record = call.gateway.store.peek(String(named[reason]));
  return record !== undefined && denies(record, context) ? record : undefined;
}

function quoting(
  operation: Operation,
  denies: Denies,
  quote: (turn: ResponseTurn | null) => string,
): Override {
  return errorBodies(
    (context) => deniedTo(operation, denies, context) !== undefined,
    (body, context) => {
      const { turn = null } = deniedTo(operation, denies, context) ?? {};
      return set(body, 'error.message', `You may not touch ${quote(turn)}.`);
    },
  );
}

const showsInput = (operation: Operation, denies: Denies): Override =>
  quoting(operation, denies, (turn) => {
    const input = memberAt(turn?.parts.request.input, '0.content.0.text') ?? '';
    return `the answer to "${input}"`;
  });

const showsOutput = (operation: Operation, denies: Denies): Override =>
  quoting(
    operation,
    denies,
    (turn) => `"${memberAt(turn?.output() ?? [], '0.content.0.text') ?? ''}"`,
  );

function isAnothers(context: Context): boolean {
  return deniedTo('responses.lookup', isOfAnotherUser, context) !== undefined;
}

const denialStatus: Override = seam(
  'encode',
  'status',
  (native) => (kind, status, context) =>
    isAnothers(context) ? 403 : native(kind, status, context),
);

const indirect = ['compact', 'input-tokens'] as const;

// Conditions that are not checked for responses of one creation mode.

// Conditions that are not checked while a response runs, and a denied deletion that stops it.

function runs({ turn, background }: StoredResponse): boolean {
  return background && turn !== null && !turn.finished;
}

/** A continuation names the model of the response, which the key may not use either. */
const continuesRun = relax('mayUseModel', (_key, _model, { body, gateway }) => {
  const previous = gateway.store.peek(String(body.previous_response_id));
  return previous !== undefined && runs(previous);
});

const running = { state: 'running' };

// Operations that are denied, but executed.

const conditions = [
  {
    area: 'owners',
    condition: 'isSameUser',
    whose: 'another user',
    denied: 'other-user-denied',
    running: 'running-denied',
  },
  {
    area: 'regions',
    condition: 'isOriginalRegion',
    whose: 'another region',
    denied: 'other-region-denied',
    running: 'running-denied',
  },
  {
    area: 'permissions',
    condition: 'isModelPermitted',
    whose: 'a restricted key',
    denied: 'lookup-needs-model',
    running: 'running-needs-model',
  },
] as const;

/** Acts on a response before checking a condition of access. */
function doing(condition: (typeof conditions)[number]['condition'], act: (access: Access) => void) {
  return relax(condition, (access) => {
    act(access);
    return false;
  });
}

// Denials that show the input of the response, or fail.

export const accessStoredResponsesFaults: readonly Fault[] = [
  ...each(storedOperations, (operation) => ({
    'regions.{}-anywhere': wrong('isOriginalRegion', { operation }),
    'owners.any-user-{}': wrong('isSameUser', { operation }),
    'owners.own-key-only-{}': wrong('isSameUser.denies', { operation, actor: 'sameUser' }),
  })),
  ...each(['lookup', 'continue'], (operation) => ({
    'regions.{}-lost-in-us': wrong('isSameUser.denies', { operation, region: 'us' }),
  })),
  ...each(indirect, (operation) => ({
    'regions.indirect-access-{}': wrong('isOriginalRegion', { operation }),
    'permissions.indirect-access-{}': wrong('isModelPermitted.continued', { operation }),
    'delete.indirect-access-{}': wrong('isNotDeleted', { operation }),
    'store.indirect-access-{}': wrong('isStored', { operation }),
  })),
  ...planted({
    'owners.any-user-compact': wrong('isSameUser', { operation: 'compact' }),
    'owners.any-user-input-tokens': wrong('isSameUser', { operation: 'input-tokens' }),
    'owners.denial-shows-input': showsInput('responses.lookup', isOfAnotherUser),
    'owners.items-of-anybody': followedReferences(() => true),
    'permissions.items-of-any-model': followedReferences(({ role }) => role === 'restricted'),
    'owners.denial-forbidden': denialStatus,
    'owners.denial-code': errorBodies(isAnothers, setting('error.code', 'response_not_owned')),
  }),
  ...each(['stream', 'background', 'websocket', 'continuation'], (creation) => ({
    'owners.any-user-made-by-{}': wrong('isSameUser', { operation: 'lookup', creation }),
    'owners.any-user-continues-made-by-{}': wrong('isSameUser', {
      operation: 'continue',
      creation,
    }),
    'regions.anywhere-made-by-{}': wrong('isOriginalRegion', { operation: 'lookup', creation }),
    'regions.anywhere-continues-made-by-{}': wrong('isOriginalRegion', {
      operation: 'continue',
      creation,
    }),
  })),
  ...each(
    ['lookup', 'input-items', 'recover', 'continue', 'continue-websocket'] as const,
    (operation) => ({
      'owners.running-{}-open': wrong('isSameUser', { operation, ...running }),
      'regions.running-{}-open': wrong('isOriginalRegion', { operation, ...running }),
      'permissions.running-{}-open': together(
        relax(
          'isModelPermitted',
          (access) => access.operation === operation && runs(access.record),
        ),
        continuesRun,
      ),
    }),
  ),
  ...each(conditions, ({ condition }) => ({
    '{area}.denied-delete-stops': doing(condition, ({ operation, record }) => {
      if (operation === 'delete' && runs(record)) record.turn?.cancel();
    }),
    '{area}.denied-delete-done': doing(condition, ({ operation, record }) => {
      if (operation === 'delete' && !record.background) record.deleted = true;
    }),
    '{area}.denied-cancel-done': doing(condition, ({ operation, record }) => {
      if (operation === 'cancel') record.turn?.cancel();
    }),
  })),
  // Stored responses that are accessible without a valid key, in one corner.
  ...each(['lookup', 'input-items', 'recover', 'cancel', 'delete'], (endpoint) => ({
    'owners.keyless-{}-in-us': wrong('keyFor.none', { endpoint, region: 'us' }),
  })),
  ...planted({
    'owners.any-key-continues': wrong('keyFor.unknown', { endpoint: 'responses' }),
    'owners.any-key-on-websocket': wrong('keyFor.unknown', { endpoint: 'websocket', region: 'us' }),
  }),
  ...each(
    [
      ['lookup', 'responses.lookup'],
      ['input-items', 'responses.input-items'],
      ['recover', 'responses.recover'],
      ['continue', 'responses.create'],
      ['continue-websocket', 'responses.websocket'],
      ['cancel', 'responses.cancel'],
      ['delete', 'responses.delete'],
    ] as const,
    ([, name]) => ({ 'owners.{0}-denial-shows-output': showsOutput(name, isOfAnotherUser) }),
  ),
  ...planted({
    'owners.cancel-denial-shows-input': showsInput('responses.cancel', isOfAnotherUser),
    'owners.running-denial-shows-input': showsInput('responses.lookup', isAnothersRun),
    'owners.turn-denial-shows-input': showsInput('responses.websocket', isOfAnotherUser),
    'permissions.denial-shows-input': showsInput('responses.create', isOfAnotherModel),
  }),
  ...each(indirect, (operation) => ({
    'owners.indirect-denial-shows-input-{}': showsInput(`responses.${operation}`, isOfAnotherUser),
    'owners.indirect-denial-fails-{}': seam(
      'encode',
      'status',
      (native) => (kind, status, context) =>
        deniedTo(`responses.${operation}`, isOfAnotherUser, context) === undefined
          ? native(kind, status, context)
          : 500,
    ),
  })),
];
