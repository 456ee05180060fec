import { type EndpointName, loadCatalogue } from '../../kernel/core/index.ts';
import { sharesAll } from '../../kernel/engine/index.ts';
import type {
  Cell,
  MadeResponse,
  Reason,
  RequestMode,
  ResponseState,
} from '../../kernel/model/index.ts';
import { access, expectedOf as expectedAt, rowOf } from '../../kernel/model/index.ts';
import { type Act, type Asks, type Creates, isBackground, neededBy } from './history.ts';
import { clauseOf, servedRow } from './violation.ts';
import { modelsOf, type Question, rowOfMode, userOf, type World } from './world.ts';

/** Outcome of an act, as far as the model needs it. */
export interface ActOutcome {
  readonly act: Act;
  readonly started: number;
  readonly ended: number;
  /** Number of its turn, and the exchange of its WebSocket. */
  readonly turn?: { readonly of: string; readonly number: number };
  /** Time when its answer first named its response, if that was before its end. */
  readonly named?: number;
  /** True if the act was served; null if that is unknown, because it may have been served without an answer. */
  readonly served: boolean | null;
  /** True if the answer shows the end of the run, after which the response no longer changes by itself. */
  readonly over: boolean;
}

/** Required outcome of an act; `either` if the specification or the timing leaves it open. */
export interface Required {
  readonly outcome: 'served' | 'denied' | 'either';
  readonly clause: string;
  /** State of the response on which the requirement depends; null if it concerns no response. */
  readonly state: ResponseState | null;
}

/** Forms with query parameters that the specification does not name, which a gateway may refuse. */
const unspecified: ReadonlySet<RequestMode> = new Set(['include', 'unstreamed', 'page', 'tool']);

type Interval = Pick<ActOutcome, 'started' | 'ended'>;

/**
 * Returns the outcome that the specification requires of an act, for every order that the times allow: a change by
 * a concurrent act may have happened before or after it.
 *
 * @param came all acts of the history that have ended, including this one
 */
export function requiredOf(
  act: Act,
  at: Interval,
  came: ReadonlyMap<number, ActOutcome>,
  world: World,
): Required {
  const required = unlessStopped(act, at, came, world);
  const isOpen = required.outcome === 'served' && isStopped(act, at, came);
  return isOpen ? { ...required, outcome: 'either' } : required;
}

function unlessStopped(
  act: Act,
  at: Interval,
  came: ReadonlyMap<number, ActOutcome>,
  world: World,
): Required {
  if (act.kind === 'list') return { outcome: 'served', clause: 'END-15', state: null };
  const maker = neededBy(act);
  const made = maker === null ? undefined : came.get(maker);
  if (made === undefined || made.act.kind !== 'create') return firstOf(act, world);
  const creation = made.act;
  const lagMs = lagFor(act, creation, world);
  const states = statesOf(
    creation,
    at,
    [...came.values()].filter((one) => one.act !== act),
    lagMs,
  );
  const place = placeOf(act, made, came);
  const expected = states.map((state) => expectedOf(act, creation, state, world, place !== null));
  const [first] = expected;
  const [outcome] = new Set(expected.map((one) => one.outcome));
  const agree = expected.every((one) => one.outcome === outcome);
  const clause = first?.clause ?? '';
  const [state = null] = states;
  if (!agree || outcome === undefined) return { outcome: 'either', clause, state };
  // No source says that a further region has another model. A creation that had to be denied may have been accepted
  // like a background run, and have failed later; this also applies to its continuations.
  const isThere =
    (made.named ?? made.ended) + lagMs <= at.started &&
    (act.kind !== 'create' || isCertain(act, world)) &&
    unlessStopped(creation, made, came, world).outcome === 'served';
  const mayRefuse =
    !isThere ||
    // No clause says that a response can be continued with another model.
    (act.kind === 'create' && act.model !== creation.model) ||
    // A connection has to keep its latest turn only.
    (place === 'earlier' && !creation.store) ||
    (act.kind === 'act' && (act.after !== undefined || unspecified.has(act.requestMode)));
  if (outcome === 'served' && !mayRefuse && place === 'latest') return onItsConnection;
  return { outcome: outcome === 'served' && mayRefuse ? 'either' : outcome, clause, state };
}

const onItsConnection: Required = { outcome: 'served', clause: 'STORE-7', state: null };

/** Returns the catalogue's check for the same requirement in a run, or null. */
export function rowOfRequired(
  act: Act,
  { clause, outcome, state }: Required,
  came: ReadonlyMap<number, ActOutcome>,
  world: World,
): string | null {
  const maker = neededBy(act);
  const creation = maker === null ? undefined : came.get(maker)?.act;
  if (creation?.kind !== 'create' || state === null) {
    if (outcome === 'denied')
      return `access/permissions.unpermitted-model-refused:${endpointOf(act)}`;
    if (clause === onItsConnection.clause) return 'websocket/connection.history-in-connection';
    if (act.kind === 'ask') return questionOf(act, world)?.row ?? null;
    return act.kind === 'create' ? rowOfMode(act.mode) : servedRow(clause, '');
  }
  // If there are several reasons, the one that the clause names is used.
  for (const reason of reasonsOf(act, creation, state, world)) {
    const cell = cellOf(act, creation, state, reason);
    if (expectedAt(cell).clause === clause) return rowOf(cell) ?? servedRow(clause, cell.mode);
  }
  return null;
}

function endpointOf(act: Act): EndpointName {
  if (act.kind === 'ask') return act.endpoint;
  return act.kind === 'create' && act.mode === 'websocket' ? 'websocket' : 'responses';
}

function questionOf({ endpoint, stream, model }: Asks, { questions }: World): Question | undefined {
  return questions.find(
    (one) => one.endpoint === endpoint && one.stream === stream && one.model === model,
  );
}

function reasonsOf(act: Act, creation: Creates, state: ResponseState, world: World): Reason[] {
  const against: Reason[] = [];
  if (userOf(act.actor) !== userOf(creation.actor)) against.push('other-user');
  if (act.region !== creation.region) against.push('other-region');
  if (!modelsOf(world, act.actor).includes(creation.model)) {
    const isOther = act.kind === 'create' && act.model !== creation.model;
    against.push(isOther ? 'under-another-model' : 'restricted');
  }
  if (state === 'deleted' || state === 'expired') against.push(state);
  if (!creation.store) against.push('unstored');
  return against.length > 0 ? against : [act.actor === creation.actor ? 'none' : 'second-key'];
}

function cellOf(act: Act, creation: Creates, state: ResponseState, reason: Reason): Cell {
  const { region: home } = creation;
  return {
    ...{
      reason,
      second: null,
      key: 'owner',
      home,
      through: reason === 'other-region' ? act.region : home,
    },
    ...asked(act),
    mode: modeOf(creation),
    content: 'plain',
    state: state === 'deleted' || state === 'expired' ? 'finished' : state,
  };
}

function asked(act: Act): Pick<Cell, 'operation' | 'requestMode'> {
  if (act.kind === 'act') return { operation: act.operation, requestMode: act.requestMode };
  if (act.kind !== 'create') throw new Error(`No response is asked for by: ${act.kind}`);
  return act.mode === 'websocket'
    ? { operation: 'continue-websocket', requestMode: 'first-turn' }
    : { operation: 'continue', requestMode: 'body' };
}

/**
 * Returns whether the response that a turn continues is the latest turn of its WebSocket, or an earlier one; null if it
 * is of no turn there. A deletion may have taken the latest turn, too.
 */
function placeOf(
  act: Act,
  { turn: before, ended }: ActOutcome,
  came: ReadonlyMap<number, ActOutcome>,
): 'latest' | 'earlier' | null {
  const turn = came.get(act.n)?.turn;
  if (turn === undefined || before === undefined || turn.of !== before.of) return null;
  const isDeleted = [...came.values()].some(
    (one) => one.act.kind === 'act' && one.act.operation === 'delete' && one.ended > ended,
  );
  return turn.number === before.number + 1 && !isDeleted ? 'latest' : 'earlier';
}

function isStopped({ n }: Act, at: Interval, came: ReadonlyMap<number, ActOutcome>): boolean {
  return [...came.values()].some((one) => mayStop(one, n) && one.started < at.ended);
}

/** True for an act that may have stopped the response of another act. */
export function mayStop({ act, served }: ActOutcome, of: number): boolean {
  const stops = act.kind === 'act' && (act.operation === 'cancel' || act.operation === 'delete');
  return stops && act.of === of && served !== false;
}

function modeOf({ previous, mode }: Creates): MadeResponse['mode'] {
  return previous !== undefined && mode === 'one-body' ? 'continuation' : mode;
}

function firstOf(act: Act, world: World): Required {
  const models = act.kind === 'create' ? world.models : [];
  const asked =
    act.kind === 'ask'
      ? questionOf(act, world)
      : models.find(({ id }) => act.kind === 'create' && id === act.model);
  if (asked === undefined) return { outcome: 'either', clause: '', state: null };
  if (!asked.permitted.includes(act.actor)) return notPermitted;
  const row = 'row' in asked ? asked.row : act.kind === 'create' ? rowOfMode(act.mode) : '';
  const outcome = asked.regions.includes(act.region) ? 'served' : 'either';
  return { outcome, clause: clauseOf(loadCatalogue().find(row)), state: null };
}

const notPermitted: Required = { outcome: 'denied', clause: 'AUTH-2', state: null };

function isCertain({ model, region }: Creates, { models }: World): boolean {
  return models.some(({ id, regions }) => id === model && regions.includes(region));
}

function expectedOf(
  act: Act,
  creation: Creates,
  state: ResponseState,
  world: World,
  onItsConnection: boolean,
) {
  const made: MadeResponse = {
    user: userOf(creation.actor),
    model: creation.model,
    region: creation.region,
    mode: modeOf(creation),
    stored: creation.store,
    state,
  };
  const actor = { user: userOf(act.actor), models: modelsOf(world, act.actor) };
  const isOther = act.kind === 'create' && act.model !== creation.model;
  const model = isOther ? { model: act.model } : {};
  return access(made, { actor, region: act.region, ...asked(act), ...model, onItsConnection });
}

/**
 * Returns the milliseconds for which a change may stay invisible to a key. Polling works only with keys that may
 * see everything that the creator sees: for other keys, an answer does not distinguish a lag from a denial.
 */
function lagFor(act: Act, creation: Creates, { settleMs }: World): number {
  return sharesAll(act.actor, creation.actor) ? 0 : settleMs;
}

function statesOf(
  creation: Creates,
  at: Interval,
  others: readonly ActOutcome[],
  lagMs: number,
): readonly ResponseState[] {
  const { n } = creation;
  const on = others.filter(({ act }) => act.n === n || (act.kind === 'act' && act.of === n));
  const changedBy = (operation: string): 'before' | 'perhaps' | 'no' => {
    let changed: 'before' | 'perhaps' | 'no' = 'no';
    for (const { act, served, started, ended } of on) {
      if (act.kind !== 'act' || act.operation !== operation || served === false) continue;
      // An act without an answer may take effect at any later time.
      if (served === true && ended + lagMs <= at.started) return 'before';
      if (started < at.ended) changed = 'perhaps';
    }
    return changed;
  };
  const deleted = changedBy('delete');
  if (deleted === 'before') return ['deleted'];
  const cancelled = changedBy('cancel');
  const runs = isBackground(creation);
  const isOver = on.some(({ over, ended }) => over && ended <= at.started);
  const states: ResponseState[] = ['finished'];
  if (runs && !isOver && cancelled !== 'before') states.push('running');
  if (runs && cancelled !== 'no') states.push('cancelled');
  if (deleted === 'perhaps') states.push('deleted');
  return states;
}
