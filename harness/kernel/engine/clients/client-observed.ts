import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckId,
  loadCatalogue,
} from '../../core/index.ts';
import { type EverywhereJudgement, type EverywhereOn, judgeEach } from '../everywhere.ts';
import type { Everywhere } from '../registry.ts';

/** Selects the exchanges of real clients on which a requirement of the client is judged, and judges them. */
export interface ClientObserved extends Pick<EverywhereOn, 'which' | 'turns' | 'observed'> {
  readonly judge: EverywhereJudgement;
}

const bound = new Map<string, Everywhere>();

/**
 * Binds a requirement of the client to exchanges that nobody has scripted: what can be said of them by what a
 * client has sent, whatever came of it.
 */
export function clientObserved(id: CheckId & `client/${string}`, on: ClientObserved): void {
  bound.set(loadCatalogue('client').find(id).id, judgedBy(on));
}

/** A requirement with an axis. Null: nobody can see it so. */
export function clientObservedEach<Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: AxisValueOf<Id>) => ClientObserved | null,
): void {
  for (const { id, value } of loadCatalogue('client').checks) {
    if (!id.startsWith(`${requirement}:`)) continue;
    const on = bind(value as AxisValueOf<Id>);
    if (on !== null) bound.set(id, judgedBy(on));
  }
}

/** Returns how a requirement of the client is judged on observed exchanges, or undefined if it is not. */
export function observedOfClient(id: string): Everywhere | undefined {
  return bound.get(id);
}

function judgedBy({ judge, observed, ...on }: ClientObserved): Everywhere {
  return {
    observed: observed ?? 'by content',
    judgeAt: judgeEach({ ...on, partial: true }, judge),
  };
}
