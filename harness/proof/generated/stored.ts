import {
  access,
  operations as actedOn,
  type CreationMode,
  creationModes,
  type MadeResponse,
  type RequestMode,
  type ResponseState,
  requestModes,
} from '../../kernel/model/index.ts';
import type {
  Access,
  Call,
  Defect,
  KeyRole,
  Policy,
  StoredOperation,
  StoredResponse,
} from '../../reference/index.ts';
import { decide, relax, tighten } from '../decisions.ts';
import { bodies, type Override, together } from '../planting.ts';
import {
  type Decision,
  type Fits as FitsAt,
  type Plantable,
  plantable,
  type Shown,
} from './decision.ts';
import { regions } from './requests.ts';
import { creationBy, type Seen, seeing, stateOf } from './seen.ts';

// Decisions about existing responses: access, and changes of state. The model in `harness/kernel/model/` derives
// from the specification where a wrong decision shows.

/** An act on a response, by the values that a decision may wrongly depend on. */
type StoredPoint = Readonly<{
  region: string;
  operation: StoredOperation;
  mode: RequestMode;
  creation: CreationMode;
  state: ResponseState;
  actor: KeyRole;
}>;

/** Operations that the gateway decides by a stored response. Item references are not among them. */
const operations = actedOn.filter((one) => one !== 'item-reference');

const isBackground = (creation: CreationMode): boolean => creation.startsWith('background');

/**
 * True for acts whose effect can show. Only a background run lasts long enough to be reached or cancelled. It may
 * have ended before a turn that follows a valid turn, and calls that only name it read too little.
 */
function reachable({ creation, state, operation, mode }: StoredPoint): boolean {
  const isIndirect = operation === 'compact' || operation === 'input-tokens';
  if (state === 'running' && (isIndirect || mode === 'later-turn')) return false;
  const lasts = state === 'running' || state === 'cancelled';
  // Only background responses can be cancelled.
  return isBackground(creation) || !(lasts || operation === 'cancel');
}

interface World {
  readonly actors: readonly KeyRole[];
  readonly states: readonly ResponseState[];
  /** Default: true. */
  readonly stored?: boolean;
  /** True if the request is sent to the other region. */
  readonly elsewhere?: boolean;
  /** True if the actor names a permitted model instead of the response's model. */
  readonly namesOther?: boolean;
  readonly operations?: readonly StoredOperation[];
}

const users: Readonly<Record<KeyRole, string>> = {
  owner: 'a',
  sameUser: 'a',
  restricted: 'a',
  otherUser: 'b',
};

/** Returns the points at which the specification, or a recommendation, contradicts the fault. */
function shownIn(
  { actors, states, stored = true, elsewhere = false, namesOther = false, ...world }: World,
  wrongly: 'served' | 'denied',
): Shown<StoredPoint>[] {
  const points = regions.flatMap((region) =>
    (world.operations ?? operations).flatMap((operation) =>
      requestModes[operation].flatMap((mode) =>
        creationModes.flatMap((creation) =>
          states.flatMap((state) =>
            actors.map((actor) => ({ region, operation, mode, creation, state, actor })),
          ),
        ),
      ),
    ),
  );
  return points.filter(reachable).flatMap((at): Shown<StoredPoint>[] => {
    // Background responses are always stored.
    if (!stored && isBackground(at.creation)) return [];
    const made: MadeResponse = {
      user: users.owner,
      model: 'its model',
      region: elsewhere ? 'another' : at.region,
      mode: at.creation,
      stored,
      state: at.state,
    };
    const models = at.actor === 'restricted' ? ['another model'] : ['its model', 'another model'];
    const { outcome, recommended, clause } = access(made, {
      actor: { user: users[at.actor], models },
      region: at.region,
      operation: at.operation,
      requestMode: at.mode,
      ...(namesOther ? { model: 'another model' } : {}),
    });
    const expected = outcome === 'either' ? recommended : outcome;
    return expected === null || expected === wrongly ? [] : [{ at, breaks: [clause] }];
  });
}

function pointOf(access: Access, { creationOf, storedModeOf }: Seen): StoredPoint | null {
  const { operation, record, key, call } = access;
  const creation = creationOf(record.id);
  if (creation === null) return null;
  const { region } = call.gateway;
  const state = stateOf(record, call);
  return { region, operation, mode: storedModeOf(call), creation, state, actor: key.role };
}

type Fits = FitsAt<StoredPoint>;

const seenAs =
  (fits: Fits, seen: Seen) =>
  (access: Access): boolean => {
    const point = pointOf(access, seen);
    return point !== null && fits(point, access.call);
  };

/** Access conditions that are not checked. */
type Condition = Extract<
  keyof Policy,
  | 'isStored'
  | 'isNotDeleted'
  | 'isWithinRetention'
  | 'isOriginalRegion'
  | 'isSameUser'
  | 'isModelPermitted'
>;

function unchecked(
  condition: Condition,
  what: string,
  world: World,
  ...further: readonly Defect['override'][]
): Decision<StoredPoint> {
  return {
    id: condition,
    what,
    shown: shownIn(world, 'served'),
    override: (fits) =>
      together(
        ...further,
        seeing((seen) => relax(condition, seenAs(fits, seen))),
      ),
  };
}

const day = 24 * 60 * 60 * 1000;

const lastingStates = ['finished', 'running', 'cancelled'] as const;
const ofUser = ['owner', 'sameUser'] as const;

/** Operations whose request names a model. */
const namingModel = ['continue', 'continue-websocket', 'compact', 'input-tokens'] as const;

const reaching: readonly Decision<StoredPoint>[] = [
  unchecked('isSameUser', 'A stored response is there for another user', {
    actors: ['otherUser'],
    states: lastingStates,
  }),
  unchecked('isOriginalRegion', 'A stored response is there through another region', {
    actors: ofUser,
    states: lastingStates,
    elsewhere: true,
  }),
  unchecked('isModelPermitted', 'A stored response is there for a key without its model', {
    actors: ['restricted'],
    states: lastingStates,
    operations: operations.filter((one) => !namingModel.some((name) => name === one)),
  }),
  {
    ...unchecked('isModelPermitted', 'A key without its model goes on from a stored response', {
      actors: ['restricted'],
      states: lastingStates,
      operations: namingModel,
      namesOther: true,
    }),
    id: 'isModelPermitted.continued',
  },
  unchecked(
    'isStored',
    'A response that was not to be stored is there',
    { actors: ofUser, states: ['finished'], stored: false },
    relax('keepsContent', () => true),
  ),
  unchecked(
    'isNotDeleted',
    'A deleted response is there',
    { actors: ofUser, states: ['deleted'] },
    tighten('deleteRemovesContent', () => true),
  ),
  unchecked('isWithinRetention', 'A response is there after its retention', {
    actors: ofUser,
    states: ['expired'],
  }),
  {
    // All conditions have to hold, so one denied condition represents all.
    id: 'isSameUser.denies',
    what: 'The user cannot reach the own stored response',
    shown: shownIn({ actors: ofUser, states: lastingStates }, 'denied'),
    override: (fits) => seeing((seen) => tighten('isSameUser', seenAs(fits, seen))),
  },
  {
    id: 'isWithinRetention.denies',
    what: 'A stored response is lost before its retention is over',
    // The retention of a response's events is not specified.
    shown: shownIn({ actors: ofUser, states: ['finished'] }, 'denied')
      .filter(({ at }) => at.operation !== 'recover')
      .map(({ at }) => ({ at, breaks: ['STORE-1'] })),
    override: (fits) =>
      seeing((seen) =>
        tighten('isWithinRetention', (access) => {
          const { record, call } = access;
          const isOld = call.gateway.now() - record.retainedFrom > day;
          return isOld && seenAs(fits, seen)(access);
        }),
      ),
  },
];

/** Circumstances of a request that creates or ends a response, independent of later requests. */
type KeptPoint = Readonly<{ region: string; creation: CreationMode; actor: KeyRole }>;

function keptPoints(
  breaks: readonly string[],
  creations: readonly CreationMode[] = creationModes,
): Shown<KeptPoint>[] {
  return regions.flatMap((region) =>
    creations.flatMap((creation) =>
      ofUser.map((actor) => ({ at: { region, creation, actor }, breaks })),
    ),
  );
}

type OfRecord = 'cancelStops' | 'deleteStops' | 'deleteDenies' | 'deleteRemovesContent';

/** Plants a decision about one stored response, in the call that ends or deletes it. */
function forgotten(name: OfRecord, fits: FitsAt<KeptPoint>): Defect['override'] {
  return seeing(({ creationOf }) =>
    tighten(name, (record: StoredResponse, call: Call) => {
      const { key, gateway } = call;
      const creation = creationOf(record.id);
      if (creation === null || key === null) return false;
      return fits({ region: gateway.region, creation, actor: key.role }, call);
    }),
  );
}

const inBackground = creationModes.filter(isBackground);

const keeping: readonly Decision<KeptPoint>[] = [
  {
    id: 'cancelStops',
    what: 'A cancel does not stop the run',
    shown: keptPoints(['STORE-9'], inBackground),
    override: (fits) => forgotten('cancelStops', fits),
  },
  {
    id: 'deleteStops',
    what: 'A deletion does not stop the run',
    shown: keptPoints(['STORE-10'], inBackground),
    override: (fits) => forgotten('deleteStops', fits),
  },
  {
    // Content that is not removed would not show, because each access is denied.
    id: 'deleteDenies',
    what: 'A deleted response stays',
    shown: keptPoints(['STORE-11', 'STORE-12']),
    override: (fits) =>
      together(forgotten('deleteDenies', fits), forgotten('deleteRemovesContent', fits)),
  },
  {
    id: 'keepsContent.denies',
    what: 'A response that was to be stored is lost',
    shown: keptPoints(['STORE-1', 'STORE-2']),
    override: (fits) =>
      tighten('keepsContent', (_execution, call) => {
        const { key, gateway } = call;
        const actor = key?.role ?? 'owner';
        return fits({ region: gateway.region, creation: creationBy(call), actor }, call);
      }),
  },
];

type ReadPoint = Omit<StoredPoint, 'state'>;

const readPoints = (these: readonly StoredOperation[], breaks: readonly string[]) =>
  shownIn({ actors: ofUser, states: ['finished'], operations: these }, 'denied').map(
    ({ at: { state: _, ...at } }): Shown<ReadPoint> => ({ at, breaks }),
  );

/** Plants a wrong read, with a predicate for the reads that it is wrong for. */
const readWrongly =
  (override: (isWrong: (record: StoredResponse | null, call: Call) => boolean) => Override) =>
  (fits: FitsAt<ReadPoint>): Override =>
    seeing(({ creationOf, storedModeOf }) =>
      override((record, call) => {
        const creation = record === null ? null : creationOf(record.id);
        const operation = operationOf(call);
        if (creation === null || operation === null || call.key === null) return false;
        const { region } = call.gateway;
        const mode = storedModeOf(call);
        return fits({ region, operation, mode, creation, actor: call.key.role }, call);
      }),
    );

function operationOf({ operation }: Call): StoredOperation | null {
  if (operation === 'responses.create') return 'continue';
  if (operation === 'responses.websocket') return 'continue-websocket';
  const name = operation.replace('responses.', '');
  return operations.find((one) => one === name) ?? null;
}

const reading: readonly Decision<ReadPoint>[] = [
  {
    id: 'history',
    what: 'A continuation reads nothing of what it continues',
    shown: readPoints(['continue', 'continue-websocket'], ['storage/continuation', 'STORE-7']),
    override: readWrongly((isWrong) =>
      decide(
        'history',
        (native) => (previous, call) => (isWrong(previous, call) ? [] : native(previous, call)),
      ),
    ),
  },
  {
    id: 'recoversFrom',
    what: 'A recovery begins one event too late',
    shown: readPoints(['recover'], ['EVENT-10']),
    override: readWrongly((isWrong) =>
      decide('recoversFrom', (native) => (startingAfter, record, call) => {
        const from = native(startingAfter, record, call);
        return isWrong(record, call) ? from + 1 : from;
      }),
    ),
  },
  {
    id: 'lookup.output',
    what: 'A lookup shows no output',
    shown: readPoints(['lookup'], ['END-18', 'STORE-2', 'RESP-GAP-1']),
    override: readWrongly((isWrong) =>
      bodies('responses.response', (body, { record, call }) => {
        const isLookup = call.operation === 'responses.lookup';
        return isLookup && isWrong(record, call) ? { ...body, output: [] } : body;
      }),
    ),
  },
  {
    id: 'input-items.data',
    what: 'The list of the input is empty',
    shown: readPoints(['input-items'], ['END-21']),
    override: readWrongly((isWrong) =>
      bodies('responses.input-items', (body, { record, call }) =>
        isWrong(record, call) ? { ...body, data: [], has_more: false } : body,
      ),
    ),
  },
];

export function storedDecisions(): Plantable[] {
  return [...reaching.map(plantable), ...keeping.map(plantable), ...reading.map(plantable)];
}
