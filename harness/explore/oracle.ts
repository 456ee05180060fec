import { access, type Expected, type MadeResponse, type ResponseState } from '../model/access.ts';
import type { Act, Actor, Creates } from './history.ts';
import { modelsOf, userOf, type World } from './world.ts';

/** What came of an act, as far as the model has to know. */
export interface Came {
  readonly act: Act;
  /** Milliseconds since the start of the run. */
  readonly started: number;
  readonly ended: number;
  /** Null: it cannot be said, for it may have been served without our knowing. */
  readonly served: boolean | null;
  /** It shows that the run has ended: nothing further happens to the response by itself. */
  readonly over: boolean;
}

/** What has to come of an act; `either` where the specification or the times leave it open. */
export interface Required {
  readonly outcome: 'served' | 'denied' | 'either';
  /** The clause that says so, or the gap that leaves it open. */
  readonly clause: string;
}

type Interval = Pick<Came, 'started' | 'ended'>;

/**
 * What the specification requires of an act in a history, by every order that the times allow: what was changed
 * while it was under way may have been changed before it or after it.
 *
 * @param came all acts of the history that have ended, itself included
 */
export function requiredOf(
  act: Act,
  at: Interval,
  came: ReadonlyMap<number, Came>,
  world: World,
): Required {
  if (act.kind === 'list') return { outcome: 'served', clause: 'END-15' };
  const maker = act.kind === 'act' ? act.of : act.previous;
  const made = maker === undefined ? undefined : came.get(maker);
  if (made === undefined || made.act.kind !== 'create') return firstOf(act, world);
  const creation = made.act;
  const states = statesOf(
    creation,
    at,
    [...came.values()].filter((one) => one.act !== act),
  );
  const expected = states.map((state) => expectedOf(act, creation, state, world));
  const [first] = expected;
  const [outcome] = new Set(expected.map((one) => one.outcome));
  const agree = expected.every((one) => one.outcome === outcome);
  const clause = first?.clause ?? '';
  if (!agree || outcome === undefined) return { outcome: 'either', clause };
  // Another model is not said to be there in every region.
  const isThere = act.kind !== 'create' || isCertain(act, world);
  return { outcome: outcome === 'served' && !isThere ? 'either' : outcome, clause };
}

/** A response that goes on from none. */
function firstOf(act: Act, world: World): Required {
  if (act.kind !== 'create') return { outcome: 'either', clause: '' };
  if (!modelsOf(world, act.actor).includes(act.model))
    return { outcome: 'denied', clause: 'AUTH-2' };
  return { outcome: isCertain(act, world) ? 'served' : 'either', clause: 'END-1' };
}

function isCertain({ model, region }: Creates, { models }: World): boolean {
  return models.some(({ id, regions }) => id === model && regions.includes(region));
}

function expectedOf(act: Act, creation: Creates, state: ResponseState, world: World): Expected {
  const made: MadeResponse = {
    user: userOf(creation.actor),
    model: creation.model,
    region: creation.region,
    mode:
      creation.previous !== undefined && creation.mode === 'one-body'
        ? 'continuation'
        : creation.mode,
    stored: creation.store,
    state,
  };
  const asking = { actor: actorOf(act.actor, world), region: act.region };
  if (act.kind === 'create') {
    const another = act.model === creation.model ? {} : { model: act.model };
    return act.mode === 'websocket'
      ? access(made, {
          ...asking,
          operation: 'continue-websocket',
          requestMode: 'first-turn',
          ...another,
        })
      : access(made, { ...asking, operation: 'continue', requestMode: 'body', ...another });
  }
  if (act.kind === 'list') throw new Error('A list of models is about no response');
  const { operation, requestMode } = act;
  return access(made, { ...asking, operation, requestMode });
}

function actorOf(actor: Actor, world: World) {
  return { user: userOf(actor), models: modelsOf(world, actor) };
}

/** The states in which a response may have been at some moment of an interval. */
function statesOf(
  { n, mode }: Creates,
  at: Interval,
  others: readonly Came[],
): readonly ResponseState[] {
  const on = others.filter(({ act }) => act.n === n || (act.kind === 'act' && act.of === n));
  const changedBy = (operation: string): 'before' | 'perhaps' | 'no' => {
    let changed: 'before' | 'perhaps' | 'no' = 'no';
    for (const { act, served, started, ended } of on) {
      if (act.kind !== 'act' || act.operation !== operation || served === false) continue;
      // What was not answered may take effect at any time from then on.
      if (served === true && ended <= at.started) return 'before';
      if (started < at.ended) changed = 'perhaps';
    }
    return changed;
  };
  const deleted = changedBy('delete');
  if (deleted === 'before') return ['deleted'];
  const cancelled = changedBy('cancel');
  const runs = mode === 'background' || mode === 'background-stream';
  const isOver = on.some(({ over, ended }) => over && ended <= at.started);
  const states: ResponseState[] = ['finished'];
  if (runs && !isOver && cancelled !== 'before') states.push('running');
  if (runs && cancelled !== 'no') states.push('cancelled');
  if (deleted === 'perhaps') states.push('deleted');
  return states;
}
