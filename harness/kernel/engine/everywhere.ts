import {
  type Area,
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  type RuleOf,
  type SecondOf,
} from '../core/index.ts';
import { boundEach } from './check.ts';
import { type Check, type Everywhere, type EverywhereJudgement, register } from './registry.ts';

export type EverywhereOn = Omit<Everywhere, 'judge'>;

/**
 * Binds a requirement to every exchange of a run to which it applies, in every region. It costs no
 * request; the verdict says in how many exchanges it was judged, and names the first offenders.
 *
 * ```ts
 * everywhere('everywhere/native.whole-json', { least: baseline.models, which: isJson }, (exchange) => …);
 * ```
 */
export function everywhere(id: CheckId, on: EverywhereOn, judgement: EverywhereJudgement): void {
  register(everywhereCheck(loadCatalogue().find(id), { ...on, judge: judgement }));
}

/** A requirement with an axis: `bind` is asked for each value to which exchanges it applies. */
export function everywhereEach<Id extends AxisRequirementId>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>, second: SecondOf<AxisValueOf<Id>>) => Everywhere,
): void {
  for (const [definition, judged] of boundEach(requirement, bind)) {
    register(everywhereCheck(definition, judged));
  }
}

/** Rows of one area that are judged alike, such as the rules of a stream grammar. */
export function everywhereRules<Name extends Area, Rule extends RuleOf<Name>>(
  area: Name,
  rules: readonly Rule[],
  on: EverywhereOn,
  judgement: (rule: Rule) => EverywhereJudgement,
): void {
  for (const rule of rules) {
    const definition = loadCatalogue().find(`${area}.${rule}`);
    register(everywhereCheck(definition, { ...on, judge: judgement(rule) }));
  }
}

/** A check as the registry keeps it. */
export function everywhereCheck(definition: CheckDefinition, everywhere: Everywhere): Check {
  return { id: definition.id, definition, on: everywhere.least, everywhere };
}
