import type { EndpointName } from '../../kernel/core/index.ts';
import type { CreationMode, Operation, RequestMode } from '../../kernel/model/index.ts';
import { actRequest, endpoints } from '../../kernel/protocols/index.ts';
import type { Keys } from '../../kernel/targets/index.ts';

export type Actor = keyof Keys;

interface Asked {
  /** Number of the act in its history. Other acts refer to it, even if some acts are left out. */
  readonly n: number;
  readonly actor: Actor;
  readonly region: string;
  /** Milliseconds to wait before its step begins. Default: none. */
  readonly afterMs?: number;
  /** True for a request on a connection of its own. Default: any kept connection that is free. */
  readonly fresh?: true;
}

/** Mode in which a response is requested. A continuation is marked separately. */
export type FirstMode = Exclude<CreationMode, 'continuation'>;

export interface Creates extends Asked {
  readonly kind: 'create';
  readonly model: string;
  readonly mode: FirstMode;
  readonly store: boolean;
  readonly previous?: number;
  /** True if its input is a list of two messages. */
  readonly items?: true;
  /** True for a background stream during which the next steps begin, as soon as it has named its response. */
  readonly live?: true;
  /** Number of the WebSocket, of its key and region, that it is a turn of. Default: one of its own. */
  readonly socket?: number;
  /** True if the WebSocket is lost after the turn, without a closing handshake. */
  readonly loses?: true;
}

export interface ActsOn extends Asked {
  readonly kind: 'act';
  readonly of: number;
  readonly operation: Operation;
  readonly requestMode: RequestMode;
  /** Act with the page before the one that is asked for. */
  readonly after?: number;
}

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
  /** Page of the catalog: the first one, or the one after that of an act. Default: the whole catalog. */
  readonly page?: 'first' | number;
}

export interface AsksLedger extends Asked {
  readonly kind: 'ledger';
  readonly requests: number;
}

export function isBackground({ mode }: Pick<Creates, 'mode'>): boolean {
  return mode === 'background' || mode === 'background-stream';
}

export type Act = Creates | ActsOn | Lists | Asks | AsksLedger;

/** Acts in steps: those of one step are concurrent, and the next step begins when all of them have ended. */
export interface History {
  readonly steps: readonly (readonly Act[])[];
}

export function actsOf({ steps }: History): readonly Act[] {
  return steps.flat();
}

export function neededBy(act: Act): number | null {
  if (act.kind === 'act') return act.of;
  return act.kind === 'create' ? (act.previous ?? null) : null;
}

/** Returns the maximum number of generations of a history, for any answers of the gateway. */
export function generationsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + generationsIn(act), 0);
}

export function requestsOf(history: History): number {
  return actsOf(history).reduce((sum, act) => sum + (act.kind === 'ledger' ? act.requests : 1), 0);
}

export function continuesOf(history: History): number {
  return actsOf(history).reduce((sum, act) => {
    if (act.kind === 'act' && act.operation !== 'item-reference') return sum + generationsIn(act);
    return sum + (act.kind === 'create' && act.previous !== undefined ? 1 : 0);
  }, 0);
}

export function pauseBefore(step: readonly Act[]): number {
  return Math.max(0, ...step.map(({ afterMs }) => afterMs ?? 0));
}

export function generationsIn(act: Act): number {
  if (act.kind === 'create') return 1;
  if (act.kind === 'ask') return endpoints[act.endpoint].generates ? 1 : 0;
  if (act.kind !== 'act' || !actRequest(act).generates) return 0;
  return act.requestMode === 'later-turn' ? 2 : 1;
}

/** Returns the history with only these acts, without those whose response is then not created. */
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

const numbering = new Set(['n', 'of', 'previous', 'after', 'page']);

/** Returns both histories in one, without the ledger query of the first; the acts of the second have other numbers. */
export function joined(first: History, second: History): History {
  const { steps } = only(first, ({ kind }) => kind !== 'ledger');
  const from = 1 + Math.max(...actsOf(first).map(({ n }) => n));
  const moved: History = JSON.parse(JSON.stringify(second), (name, value) =>
    numbering.has(name) && typeof value === 'number' ? value + from : value,
  );
  return { steps: [...steps, ...moved.steps] };
}
