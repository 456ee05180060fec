import type { CreationMode, Operation, RequestMode } from '../model/access.ts';
import type { Keys } from '../target/target.ts';

/** Whoever asks: by a key of the target file. */
export type Actor = keyof Keys;

interface Asked {
  /** Which act of its history it is: others name it by that, also where some are left out. */
  readonly n: number;
  readonly actor: Actor;
  readonly region: string;
}

/** How a response is asked for. That it goes on from another is said besides. */
export type FirstMode = Exclude<CreationMode, 'continuation'>;

/** Makes a response, or goes on from one. */
export interface Creates extends Asked {
  readonly kind: 'create';
  readonly model: string;
  readonly mode: FirstMode;
  readonly store: boolean;
  /** The act whose response it goes on from. */
  readonly previous?: number;
}

/** What is done with a response besides. An item reference needs items, which not every response has. */
export type TriedOperation = Exclude<
  Operation,
  'continue' | 'continue-websocket' | 'item-reference'
>;

/** Does something with a response. */
export interface ActsOn extends Asked {
  readonly kind: 'act';
  /** The act that made it. */
  readonly of: number;
  readonly operation: TriedOperation;
  readonly requestMode: RequestMode;
}

/** Asks for the list of models. */
export interface Lists extends Asked {
  readonly kind: 'list';
}

export type Act = Creates | ActsOn | Lists;

/** Acts in steps: those of one step go side by side, and the next step begins when all of them have ended. */
export interface History {
  readonly steps: readonly (readonly Act[])[];
}

/** All acts, in the order of their steps. */
export function actsOf({ steps }: History): readonly Act[] {
  return steps.flat();
}

/** The act whose response an act needs; null: it needs none. */
export function neededBy(act: Act): number | null {
  if (act.kind === 'list') return null;
  return act.kind === 'act' ? act.of : (act.previous ?? null);
}

/** What a history costs at most, whatever the gateway serves. */
export function generationsOf(history: History): number {
  return actsOf(history).filter(
    (act) => act.kind === 'create' || (act.kind === 'act' && act.operation === 'compact'),
  ).length;
}

/** The same history with these acts only: without those whose response is then not made, and without empty steps. */
export function only(history: History, keeps: (act: Act) => boolean): History {
  const made = new Set<number>();
  const steps = history.steps.map((step) => {
    const kept = step.filter((act) => {
      const needed = neededBy(act);
      return keeps(act) && (needed === null || made.has(needed));
    });
    // What goes side by side is not there for its neighbours.
    for (const act of kept) if (act.kind === 'create') made.add(act.n);
    return kept;
  });
  return { steps: steps.filter((step) => step.length > 0) };
}
