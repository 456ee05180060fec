import type { EndpointName } from '../../kernel/core/index.ts';
import type { CreationMode, Operation, RequestMode } from '../../kernel/model/index.ts';
import { actRequest, endpoints } from '../../kernel/protocols/index.ts';
import type { Keys } from '../../kernel/targets/index.ts';

/** Name of the target file's key for an act. */
export type Actor = keyof Keys;

interface Asked {
  /** Number of the act in its history. Other acts refer to it, even if some acts are left out. */
  readonly n: number;
  readonly actor: Actor;
  readonly region: string;
  /** Milliseconds to wait before its step begins. Default: none. */
  readonly afterMs?: number;
}

/** Mode in which a response is requested. A continuation is marked separately. */
export type FirstMode = Exclude<CreationMode, 'continuation'>;

/** An act that creates a response, or continues one. */
export interface Creates extends Asked {
  readonly kind: 'create';
  readonly model: string;
  readonly mode: FirstMode;
  readonly store: boolean;
  /** Act whose response it continues. */
  readonly previous?: number;
  /** True if a second turn over the same WebSocket continues the first. Other acts use its response. */
  readonly secondTurn?: true;
}

export type TriedOperation = Exclude<Operation, 'continue' | 'continue-websocket'>;

/** An act on a response. */
export interface ActsOn extends Asked {
  readonly kind: 'act';
  /** Act that created the response. */
  readonly of: number;
  readonly operation: TriedOperation;
  readonly requestMode: RequestMode;
}

/** An act that requests the list of models. */
interface Lists extends Asked {
  readonly kind: 'list';
}

/** An act that sends a request to an endpoint of another protocol, which stores nothing. */
export interface Asks extends Asked {
  readonly kind: 'ask';
  readonly endpoint: EndpointName;
  readonly stream: boolean;
  /** Model, or null if the endpoint takes none. */
  readonly model: string | null;
}

/** An act that queries the ledger for all earlier requests. */
export interface AsksLedger extends Asked {
  readonly kind: 'ledger';
  /** Maximum number of requests. */
  readonly requests: number;
}

export type Act = Creates | ActsOn | Lists | Asks | AsksLedger;

/** Acts in steps: those of one step are concurrent, and the next step begins when all of them have ended. */
export interface History {
  readonly steps: readonly (readonly Act[])[];
}

/** Returns all acts, in the order of their steps. */
export function actsOf({ steps }: History): readonly Act[] {
  return steps.flat();
}

/** Returns the act whose response an act needs; null for none. */
export function neededBy(act: Act): number | null {
  if (act.kind === 'act') return act.of;
  return act.kind === 'create' ? (act.previous ?? null) : null;
}

/** Returns the maximum number of generations of a history, for any answers of the gateway. */
export function generationsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + generationsIn(act), 0);
}

/** Returns the maximum number of requests of a history. */
export function requestsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + (act.kind === 'ledger' ? act.requests : 1), 0);
}

/** Returns the number of generation requests and frames that name a response. */
export function continuesOf(history: History): number {
  return actsOf(history).reduce((sum, act) => {
    if (act.kind === 'act') return sum + (act.operation === 'compact' ? 1 : 0);
    if (act.kind !== 'create') return sum;
    return sum + (act.previous === undefined ? 0 : 1) + (act.secondTurn === true ? 1 : 0);
  }, 0);
}

/** Returns the minimum pause before a step, in milliseconds. */
export function pauseBefore(step: readonly Act[]): number {
  return Math.max(0, ...step.map(({ afterMs }) => afterMs ?? 0));
}

/** Returns the number of generations that an act requests. */
export function generationsIn(act: Act): number {
  switch (act.kind) {
    case 'create':
      return act.secondTurn === true ? 2 : 1;
    case 'act':
      return actRequest({ operation: act.operation }).generates ? 1 : 0;
    case 'ask':
      return endpoints[act.endpoint].generates ? 1 : 0;
    case 'list':
    case 'ledger':
      return 0;
  }
}

/**
 * Returns the history with only these acts. Acts whose response is then not created are left out, and so are empty
 * steps.
 */
export function only(history: History, keeps: (act: Act) => boolean): History {
  const made = new Set<number>();
  const steps = history.steps.map((step) => {
    const kept = step.filter((act) => {
      const needed = neededBy(act);
      return keeps(act) && (needed === null || made.has(needed));
    });
    // Acts of one step are concurrent, so none can use a response that another creates.
    for (const act of kept) if (act.kind === 'create') made.add(act.n);
    return kept;
  });
  return { steps: steps.filter((step) => step.length > 0) };
}
