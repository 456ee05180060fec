import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckId,
  type FirstOf,
  loadCatalogue,
} from '../../core/index.ts';
import { boundEach } from '../check.ts';
import type { JudgedExchanges } from '../registry.ts';

/** Selects the exchanges of real clients on which a requirement of the client is judged, and judges them. */
type ClientObserved = Omit<JudgedExchanges, 'partial'>;

const observed = new Map<string, JudgedExchanges>();

/**
 * Binds a requirement of the client to exchanges that nobody has scripted: what can be said of them by what a
 * client has sent, whatever came of it.
 */
export function clientObserved(id: CheckId & `client/${string}`, on: ClientObserved): void {
  observed.set(loadCatalogue('client').find(id).id, { ...on, partial: true });
}

/** A requirement with an axis. Null: nobody can see it so. */
export function clientObservedEach<Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>) => ClientObserved | null,
): void {
  for (const [{ id }, on] of boundEach(requirement, bind, loadCatalogue('client'))) {
    if (on !== null) observed.set(id, { ...on, partial: true });
  }
}

/** Returns how a requirement of the client is judged on observed exchanges, or undefined if it is not. */
export function observedOfClient(id: string): JudgedExchanges | undefined {
  return observed.get(id);
}
