/**
 * The specification as a function: permissions of keys on stored responses. Written from the clauses of
 * `fixtures/specification.md` alone. The reference gateway has a separate policy, and a test compares the two.
 */

export const creationModes = [
  'one-body',
  'stream',
  'background',
  'background-stream',
  'websocket',
  'continuation',
] as const;
export type CreationMode = (typeof creationModes)[number];

/** `expired`: its retention has ended. */
export const responseStates = ['running', 'finished', 'cancelled', 'deleted', 'expired'] as const;
export type ResponseState = (typeof responseStates)[number];

const storedOperations = [
  'lookup',
  'input-items',
  'recover',
  'continue',
  'continue-websocket',
  'cancel',
  'delete',
] as const;
export type StoredOperationName = (typeof storedOperations)[number];

/**
 * Operations that read a response indirectly, without continuing it: as the `previous_response_id` of a compact or
 * counting call, or by an item of its output.
 */
const indirectOperations = ['compact', 'input-tokens', 'item-reference'] as const;

export const operations = [...storedOperations, ...indirectOperations] as const;
export type Operation = (typeof operations)[number];

export function isIndirect(operation: Operation): boolean {
  return indirectOperations.some((one) => one === operation);
}

/**
 * Forms in which each operation is requested: by its path alone or with query parameters; in one body, as a stream,
 * in the background or with a tool; in the first turn of a connection or after a good one. Nothing in the
 * specification makes access depend on the form.
 */
export const requestModes = {
  lookup: ['path', 'include', 'unstreamed'],
  'input-items': ['path', 'page'],
  recover: ['after', 'whole'],
  continue: ['body', 'stream', 'background', 'tool'],
  'continue-websocket': ['first-turn', 'later-turn'],
  cancel: ['path'],
  delete: ['path'],
  compact: ['body'],
  'input-tokens': ['body'],
  'item-reference': ['body'],
} as const satisfies Readonly<Record<Operation, readonly string[]>>;
export type RequestMode = (typeof requestModes)[Operation][number];

export interface MadeResponse {
  readonly user: string;
  readonly model: string;
  readonly region: string;
  readonly mode: CreationMode;
  readonly stored: boolean;
  readonly state: ResponseState;
}

export interface Actor {
  /** Null: no key, or one that does not exist. */
  readonly user: string | null;
  readonly models: readonly string[];
}

export interface Act {
  readonly actor: Actor;
  readonly region: string;
  readonly operation: Operation;
  readonly requestMode: RequestMode;
  /** Another model than that of the response, if the request names one. */
  readonly model?: string;
  /** True for a continuation on the connection of the response, with nothing deleted since. */
  readonly onItsConnection?: boolean;
}

export interface Expected {
  /** `denied`: a refusal, or an answer that shows nothing of the response. */
  readonly outcome: 'served' | 'denied' | 'either';
  /** Recommendation of other sources, or of our own, if the specification leaves it open. */
  readonly recommended: 'served' | 'denied' | null;
  /** The clause that decides it, or the gap that leaves it open. */
  readonly clause: string;
}

interface Rule extends Expected {
  /** True if the rule covers this case. The first covering rule that denies decides, or else the first one. */
  applies(made: MadeResponse, act: Act): boolean;
}

/** Returns the expectation of the specification for an act on a response. */
export function access(made: MadeResponse, act: Act): Expected {
  const speaking = rules.filter(({ applies }) => applies(made, act));
  // One reason to deny is sufficient, whatever another rule leaves open.
  const rule = speaking.find(({ outcome }) => outcome === 'denied') ?? speaking[0];
  if (rule === undefined) throw new Error(`No rule speaks of ${act.operation}`);
  const { outcome, recommended, clause } = rule;
  return { outcome, recommended, clause };
}

const served = { outcome: 'served', recommended: null } as const;
const denied = { outcome: 'denied', recommended: null } as const;
const open = (recommended: Expected['recommended'] = null) =>
  ({ outcome: 'either', recommended }) as const;

const on =
  (...these: readonly Operation[]) =>
  ({ operation }: Act): boolean =>
    these.includes(operation);

const reads = on('lookup', 'input-items');
const continues = on('continue', 'continue-websocket');
const recovers = on('recover');
const ends = on('cancel', 'delete');
/** Without item references: the specification shows no items of stored responses in the input. */
const namesAsPrevious = on('compact', 'input-tokens');
const readsIndirectly = on(...indirectOperations);

const isElsewhere = ({ region }: MadeResponse, act: Act): boolean => act.region !== region;
const isUnpermitted = ({ model }: MadeResponse, { actor }: Act): boolean =>
  !actor.models.includes(model);
const isUnstored = ({ stored }: MadeResponse): boolean => !stored;
const is =
  (state: ResponseState) =>
  (made: MadeResponse): boolean =>
    made.state === state;
const isBackground = ({ mode }: MadeResponse): boolean =>
  mode === 'background' || mode === 'background-stream';

/** The history of a connection is available on it, even if it is not stored. */
const isOnItsConnection = ({ operation, onItsConnection }: Act): boolean =>
  operation === 'continue-websocket' && onItsConnection === true;

/** Combines a condition on the response with one on the act. */
const when =
  (
    ofResponse: (made: MadeResponse, act: Act) => boolean,
    ofAct: (act: Act) => boolean = () => true,
  ) =>
  (made: MadeResponse, act: Act): boolean =>
    ofResponse(made, act) && ofAct(act);

/** Ordered from the rules that deny most to the general ones. */
export const rules: readonly Rule[] = [
  // Rules by user
  { ...denied, clause: 'AUTH-1', applies: (_, { actor }) => actor.user === null },
  { ...denied, clause: 'AUTH-8', applies: ({ user }, { actor }) => actor.user !== user },

  // Rules by region
  { ...denied, clause: 'REGION-2', applies: when(isElsewhere, reads) },
  { ...denied, clause: 'REGION-3', applies: when(isElsewhere, continues) },
  { ...denied, clause: 'REGION-4', applies: when(isElsewhere, recovers) },
  { ...open('denied'), clause: 'REGION-GAP-1', applies: when(isElsewhere, ends) },
  { ...open('denied'), clause: 'RESP-9', applies: when(isElsewhere) },

  // Rules by model
  {
    ...denied,
    clause: 'AUTH-2',
    applies: (_, act) =>
      continues(act) && act.model !== undefined && !act.actor.models.includes(act.model),
  },
  {
    ...open('denied'),
    clause: 'RESP-GAP-2',
    applies: (made, act) => isUnpermitted(made, act) && continues(act) && act.model !== undefined,
  },
  { ...denied, clause: 'RESP-8', applies: when(isUnpermitted, reads) },
  {
    ...denied,
    clause: 'RESP-8',
    // Under another model, the clause leaves open which model's permission counts.
    applies: (made, act) => isUnpermitted(made, act) && continues(act) && act.model === undefined,
  },
  { ...denied, clause: 'RESP-8', applies: when(isUnpermitted, readsIndirectly) },
  { ...open('denied'), clause: 'RESP-8', applies: when(isUnpermitted) },

  // Rules for deleted responses
  { ...denied, clause: 'STORE-11', applies: when(is('deleted'), reads) },
  { ...denied, clause: 'STORE-12', applies: when(is('deleted'), continues) },
  { ...denied, clause: 'STORE-13', applies: when(is('deleted'), namesAsPrevious) },
  { ...open('denied'), clause: 'STORE-13', applies: when(is('deleted'), recovers) },
  { ...open('denied'), clause: 'STORE-GAP-3', applies: when(is('deleted')) },

  // Rules for responses that were never stored
  { ...served, clause: 'STORE-7', applies: when(isUnstored, isOnItsConnection) },
  {
    ...denied,
    clause: 'STORE-7',
    applies: (made, act) =>
      isUnstored(made) && act.operation === 'continue-websocket' && !isOnItsConnection(act),
  },
  { ...denied, clause: 'STORE-6', applies: when(isUnstored, on('continue')) },
  { ...denied, clause: 'STORE-5', applies: when(isUnstored, reads) },
  { ...denied, clause: 'STORE-4', applies: when(isUnstored, namesAsPrevious) },
  { ...open('denied'), clause: 'STORE-GAP-3', applies: when(isUnstored) },

  // Rules for responses after their retention. A gateway may report success when one is deleted.
  { ...open(), clause: 'RESP-5', applies: when(is('expired'), on('delete')) },
  { ...open('denied'), clause: 'RESP-5', applies: when(is('expired')) },

  // The user's own response, in its region, with permission, and stored
  { ...served, clause: 'END-20', applies: when(() => true, on('lookup')) },
  { ...served, clause: 'END-22', applies: when(() => true, on('input-items')) },
  { ...served, clause: 'END-25', applies: when(() => true, on('delete')) },
  { ...served, clause: 'STORE-3', applies: when(is('finished'), continues) },
  { ...open(), clause: 'STORE-GAP-2', applies: when(() => true, continues) },
  {
    ...served,
    clause: 'EVENT-10',
    applies: when(({ mode }) => mode === 'background-stream', recovers),
  },
  { ...open(), clause: 'END-GAP-11', applies: when(() => true, recovers) },
  {
    ...served,
    clause: 'END-23',
    applies: when((made) => isBackground(made) && made.state === 'running', on('cancel')),
  },
  { ...open(), clause: 'STORE-GAP-2', applies: when(isBackground, on('cancel')) },
  { ...open('denied'), clause: 'END-23', applies: when(() => true, on('cancel')) },
  { ...open(), clause: 'END-GAP-9', applies: when(() => true, readsIndirectly) },
];
