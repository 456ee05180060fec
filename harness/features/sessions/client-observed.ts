import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckId,
  type FirstOf,
  loadCatalogue,
} from '../../kernel/core/index.ts';
import { boundEach, type JudgedExchanges } from '../../kernel/engine/index.ts';

/** Selection of exchanges of real clients, and the judgement on them. */
type ClientObserved = Omit<JudgedExchanges, 'partial'>;

const observed = new Map<string, JudgedExchanges>();

/** Binds a requirement of the client to observed exchanges. Their answers do not matter. */
export function clientObserved(id: CheckId & `client/${string}`, on: ClientObserved): void {
  observed.set(loadCatalogue('client').find(id).id, { ...on, partial: true });
}

/** Binds a requirement with an axis. Null: observed exchanges cannot show it. */
export function clientObservedEach<Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>) => ClientObserved | null,
): void {
  for (const [{ id }, on] of boundEach(requirement, bind, loadCatalogue('client'))) {
    if (on !== null) observed.set(id, { ...on, partial: true });
  }
}

/** Returns the judgement of observed exchanges for a requirement of the client, if any. */
export function observedOfClient(id: string): JudgedExchanges | undefined {
  return observed.get(id);
}
