import {
  type Access,
  type Context,
  type Defect,
  isArray,
  isObject,
  type Json,
  type Key,
  type Operation,
  type StoredOperation,
  type StoredResponse,
} from '../../../reference/index.ts';
import { admit, creationModes, madeBy, relax, tighten } from '../../decisions.ts';
import { memberAt, set, setting } from '../../editing.ts';
import { bodies, errorBodies, handling, storedOperations, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Faults in who can reach a stored response, and in which region.

/** One region denies its own responses. */
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
    breaks: [breaks],
    override: relax('isSameUser', (access) => access.operation === operation),
  };
}

/** Indirect access, where one condition is not checked. */
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
      'regions.indirect-access',
      'stored responses of every region',
      'access/regions.indirect-access-denied',
      'isOriginalRegion',
    ),
    forgotten(
      'permissions.indirect-access',
      'responses of models that the key may not use',
      'access/permissions.indirect-access-denied',
      'isModelPermitted',
    ),
    forgotten(
      'delete.indirect-access',
      'deleted responses',
      'storage/deletion.indirect-access-denied',
      'isNotDeleted',
      tighten('deleteRemovesContent', () => true),
    ),
    forgotten(
      'store.indirect-access',
      'responses that were not stored',
      'storage/responses.false-indirect-access-denied',
      'isStored',
      relax('keepsContent', () => true),
    ),
  ];
}

/** Items are looked up by their id alone, for keys that fit. */
function followedReferences(fits: (key: Key) => boolean): Defect['override'] {
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

/** The response whose access was denied; undefined where the refusal has another reason. */
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

function showsInput(operation: Operation, denies: Denies): Defect['override'] {
  return errorBodies(
    (context) => deniedTo(operation, denies, context) !== undefined,
    (body, context) => {
      const { turn = null } = deniedTo(operation, denies, context) ?? {};
      const input = memberAt(turn?.parts.request.input, '0.content.0.text') ?? '';
      return set(body, 'error.message', `You may not touch the answer to "${input}".`);
    },
  );
}

/** The denial quotes the answer, and not what was asked. */
function showsOutput(operation: Operation, denies: Denies): Defect['override'] {
  return errorBodies(
    (context) => deniedTo(operation, denies, context) !== undefined,
    (body, context) => {
      const { turn = null } = deniedTo(operation, denies, context) ?? {};
      const output = memberAt(turn?.output() ?? [], '0.content.0.text') ?? '';
      return set(body, 'error.message', `You may not touch "${output}".`);
    },
  );
}

function isAnothers(context: Context): boolean {
  return deniedTo('responses.lookup', isOfAnotherUser, context) !== undefined;
}

const denialStatus: Defect['override'] = ({ encode }) => ({
  encode: {
    status: (kind, status, context) =>
      isAnothers(context) ? 403 : encode.status(kind, status, context),
  },
});

const regionsOwnersFaults: readonly Fault[] = [
  ...each(storedOperations, (operation) => ({
    'regions.{}-anywhere': relax('isOriginalRegion', (access) => access.operation === operation),
  })),
  lostIn('us', 'lookup'),
  lostIn('us', 'continue'),
  ...storedOperations.map((operation) =>
    anyUser(operation, `access/owners.other-user-denied:${operation}`),
  ),
  ...planted({ 'owners.denial-shows-input': showsInput('responses.lookup', isOfAnotherUser) }),
  ...(['compact', 'input-tokens'] as const).flatMap((operation) => [
    anyUser(operation, `access/owners.indirect-access-denied:${operation}`),
    ...unchecked(operation),
  ]),
  ...planted({
    'owners.items-of-anybody': followedReferences(() => true),
    'permissions.items-of-any-model': followedReferences(({ role }) => role === 'restricted'),
  }),
  ...each(storedOperations, (operation) => ({
    'owners.own-key-only-{}': tighten(
      'isSameUser',
      (access) => access.operation === operation && access.key.role === 'sameUser',
    ),
  })),
  ...planted({
    'owners.denial-forbidden': denialStatus,
    'owners.denial-code': errorBodies(isAnothers, setting('error.code', 'response_not_owned')),
  }),
];

// Conditions that are not checked for responses of one creation mode.

const modeConditions = [
  ['owners', 'isSameUser', 'any-user', 'by every user', 'other-user-denied'],
  ['regions', 'isOriginalRegion', 'anywhere', 'in every region', 'other-region-denied'],
] as const;

/** Operations that reach such a response: name in ids, and participle. */
const reached = [
  ['lookup', '', 'looked up'],
  ['continue', 'continues-', 'continued'],
] as const;

const creationModeFaults: readonly Fault[] = Object.entries(creationModes).flatMap(([way, fits]) =>
  modeConditions.flatMap(([area, condition, short, where, row]) =>
    reached.map(
      ([operation, named, done]): Fault => ({
        id: `${area}.${short}-${named}made-by-${way}`,
        what: `A response that was made by ${way} can be ${done} ${where}.`,
        breaks: [`access/${area}.${row}:${operation}`],
        override: madeBy(fits, (isOne) =>
          relax(condition, (access) => access.operation === operation && isOne(access.record)),
        ),
      }),
    ),
  ),
);

// Conditions that are not checked while a response runs, and a denied deletion that stops it.

const conditions = [
  {
    area: 'owners',
    condition: 'isSameUser',
    whose: 'another user',
    denied: 'access/owners.other-user-denied',
    running: 'access/owners.running-denied',
  },
  {
    area: 'regions',
    condition: 'isOriginalRegion',
    whose: 'another region',
    denied: 'access/regions.other-region-denied',
    running: 'access/regions.running-denied',
  },
  {
    area: 'permissions',
    condition: 'isModelPermitted',
    whose: 'a restricted key',
    denied: 'access/permissions.lookup-needs-model',
    running: 'access/permissions.running-needs-model',
  },
] as const;

const served = [
  'lookup',
  'input-items',
  'recover',
  'continue',
  'continue-websocket',
] as const satisfies readonly StoredOperation[];

function runs({ turn, background }: StoredResponse): boolean {
  return background && turn !== null && !turn.finished;
}

/** A continuation names the model of the response, which the key may not use either. */
const continuesRun = relax('mayUseModel', (_key, _model, { body, gateway }) => {
  const previous = gateway.store.peek(String(body.previous_response_id));
  return previous !== undefined && runs(previous);
});

const whileRunningFaults: readonly Fault[] = conditions.flatMap(
  ({ area, condition, whose, running }): Fault[] => [
    ...served.map(
      (operation): Fault => ({
        id: `${area}.running-${operation}-open`,
        what: `While a response runs, the operation ${operation} reaches it from ${whose}.`,
        breaks: [`${running}:${operation}`],
        override: together(
          relax(condition, (access) => access.operation === operation && runs(access.record)),
          ...(area === 'permissions' ? [continuesRun] : []),
        ),
      }),
    ),
    {
      id: `${area}.denied-delete-stops`,
      what: `A deletion from ${whose} is denied, and stops the run.`,
      breaks: [`${running}:delete`],
      override: relax(condition, (access) => {
        if (access.operation === 'delete' && runs(access.record)) access.record.turn?.cancel();
        return false;
      }),
    },
  ],
);

// Operations that are denied, and executed.

const done = {
  delete: ({ record }: Access): void => {
    record.deleted = true;
  },
  cancel: ({ record }: Access): void => record.turn?.cancel(),
} as const;

const deniedButDoneFaults: readonly Fault[] = conditions.flatMap(
  ({ area, condition, whose, denied, running }) =>
    (['delete', 'cancel'] as const).map(
      (operation): Fault => ({
        id: `${area}.denied-${operation}-done`,
        what: `A ${operation} from ${whose} is denied, and executed.`,
        breaks: [operation === 'cancel' ? `${running}:cancel` : `${denied}:${operation}`],
        override: relax(condition, (access) => {
          if (access.operation === operation) done[operation](access);
          return false;
        }),
      }),
    ),
);

// Denials that show the input of the response, or fail.

/** Stored responses that are there without a good key, in one corner. */
const keylessFaults: readonly Fault[] = [
  ...each(['lookup', 'input-items', 'recover', 'cancel', 'delete'] as const, (operation) => ({
    'owners.keyless-{}-in-us': admit(
      (secret, call) =>
        secret === undefined &&
        call.gateway.region === 'us' &&
        call.operation === `responses.${operation}`,
    ),
  })),
  ...planted({
    'owners.any-key-continues': admit(
      (secret, call) => secret !== undefined && call.operation === 'responses.create',
    ),
    'owners.any-key-on-websocket': admit(
      (secret, call) =>
        secret !== undefined &&
        call.gateway.region === 'us' &&
        call.operation === 'responses.websocket',
    ),
  }),
];

const shownOutputFaults: readonly Fault[] = each(
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
);

const revealingDenialFaults: readonly Fault[] = [
  ...planted({
    'owners.cancel-denial-shows-input': showsInput('responses.cancel', isOfAnotherUser),
    'owners.running-denial-shows-input': showsInput('responses.lookup', isAnothersRun),
    'owners.turn-denial-shows-input': showsInput('responses.websocket', isOfAnotherUser),
  }),
  ...each(['compact', 'input-tokens'] as const, (operation) => ({
    'owners.indirect-denial-shows-input-{}': showsInput(`responses.${operation}`, isOfAnotherUser),
    'owners.indirect-denial-fails-{}': ({ encode }) => ({
      encode: {
        status: (kind, status, context) =>
          deniedTo(`responses.${operation}`, isOfAnotherUser, context) === undefined
            ? encode.status(kind, status, context)
            : 500,
      },
    }),
  })),
  ...planted({
    'permissions.denial-shows-input': showsInput('responses.create', isOfAnotherModel),
  }),
];

export const accessStoredResponsesFaults: readonly Fault[] = [
  ...regionsOwnersFaults,
  ...creationModeFaults,
  ...whileRunningFaults,
  ...deniedButDoneFaults,
  ...keylessFaults,
  ...shownOutputFaults,
  ...revealingDenialFaults,
];
