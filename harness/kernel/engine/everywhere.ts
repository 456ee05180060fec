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
 * Binds a requirement to every exchange of a run to which it applies, in every region. Costs no request. The
 * verdict gives the number of judged exchanges, and names the first offenders.
 *
 * ```ts
 * everywhere('everywhere/native.whole-json', { least: baseline.models, which: isJson }, (exchange) => …);
 * ```
 */
export function everywhere(id: CheckId, on: EverywhereOn, judgement: EverywhereJudgement): void {
  register(everywhereCheck(loadCatalogue().find(id), { ...on, judge: judgement }));
}

/** Binds a requirement with an axis: `bind` returns the exchanges to judge for each value. */
export function everywhereEach<Id extends AxisRequirementId>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>, second: SecondOf<AxisValueOf<Id>>) => Everywhere,
): void {
  for (const [definition, judged] of boundEach(requirement, bind)) {
    register(everywhereCheck(definition, judged));
  }
}

/** Binds rows of one area that have the same judgement, such as the rules of a stream grammar. */
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

export function everywhereCheck(definition: CheckDefinition, everywhere: Everywhere): Check {
  return { id: definition.id, definition, on: everywhere.least, everywhere };
}
