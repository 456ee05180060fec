import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  type SecondOf,
} from '../core/index.ts';
import { boundEach } from './check.ts';
import { type Check, type Everywhere, register } from './registry.ts';

/**
 * Binds a requirement to every exchange of a run to which it applies, in every region. Costs no request. The
 * verdict gives the number of judged exchanges, and names the first offenders.
 *
 * ```ts
 * everywhere('everywhere/native.whole-json', { least: baseline.models, which: isJson }, (exchange) => …);
 * ```
 */
export function everywhere(
  id: CheckId,
  on: Omit<Everywhere, 'judge'>,
  judge: Everywhere['judge'],
): void {
  register(everywhereCheck(loadCatalogue().find(id), { ...on, judge }));
}

/** Binds a requirement with an axis: `bind` returns the exchanges to judge for each value. */
everywhere.each = <Id extends AxisRequirementId>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>, second: SecondOf<AxisValueOf<Id>>) => Everywhere,
): void => {
  for (const [definition, judged] of boundEach(requirement, bind)) {
    register(everywhereCheck(definition, judged));
  }
};

export function everywhereCheck(definition: CheckDefinition, everywhere: Everywhere): Check {
  return { id: definition.id, definition, on: everywhere.least, everywhere };
}
