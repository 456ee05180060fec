import type { EndpointName } from '../core/index.ts';
import type { CreationMode, Operation, RequestMode } from '../model/index.ts';
import { endpoints } from '../protocols/index.ts';
import type { Keys } from '../target/index.ts';

/** Whoever asks: by a key of the target file. */
export type Actor = keyof Keys;

interface Asked {
  /** Which act of its history it is: others name it by that, also where some are left out. */
  readonly n: number;
  readonly actor: Actor;
  readonly region: string;
  /** So many milliseconds pass before its step begins. Default: none. */
  readonly afterMs?: number;
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
  /** Over a WebSocket: a second turn goes on from the first on the same connection. Its response is what others act on. */
  readonly secondTurn?: true;
}

/** What is done with a response besides. */
export type TriedOperation = Exclude<Operation, 'continue' | 'continue-websocket'>;

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

/** Asks an endpoint of another protocol, which stores nothing. */
export interface Asks extends Asked {
  readonly kind: 'ask';
  readonly endpoint: EndpointName;
  readonly stream: boolean;
  /** Null: the endpoint takes none. */
  readonly model: string | null;
}

/** Asks the ledger for all that was sent before. */
export interface AsksLedger extends Asked {
  readonly kind: 'ledger';
  /** So many, at most. */
  readonly requests: number;
}

export type Act = Creates | ActsOn | Lists | Asks | AsksLedger;

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
  if (act.kind === 'act') return act.of;
  return act.kind === 'create' ? (act.previous ?? null) : null;
}

/** What a history costs at most, whatever the gateway serves. */
export function generationsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + generationsIn(act), 0);
}

/** How many requests it sends at most. */
export function requestsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + (act.kind === 'ledger' ? act.requests : 1), 0);
}

/** How many of the requests and frames that ask a model to generate name a response. */
export function continuesOf(history: History): number {
  return actsOf(history).reduce((sum, act) => {
    if (act.kind === 'act') return sum + (act.operation === 'compact' ? 1 : 0);
    if (act.kind !== 'create') return sum;
    return sum + (act.previous === undefined ? 0 : 1) + (act.secondTurn === true ? 1 : 0);
  }, 0);
}

/** How many milliseconds pass before a step begins, at least. */
export function pauseBefore(step: readonly Act[]): number {
  return Math.max(0, ...step.map(({ afterMs }) => afterMs ?? 0));
}

/** How many generations an act asks for. */
export function generationsIn(act: Act): number {
  switch (act.kind) {
    case 'create':
      return act.secondTurn === true ? 2 : 1;
    case 'act':
      return act.operation === 'compact' || act.operation === 'item-reference' ? 1 : 0;
    case 'ask':
      return endpoints[act.endpoint].generates ? 1 : 0;
    case 'list':
    case 'ledger':
      return 0;
  }
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
