import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  type SecondOf,
} from '../core/index.ts';
import { askedAgainFor } from './again/index.ts';
import type { Judgement } from './judge.ts';
import { type Check, register } from './registry.ts';
import type { CapturedOn, JudgedOn } from './scenario.ts';

/**
 * Binds a requirement to the scenarios that it is judged on, and to a judgement.
 *
 * ```ts
 * check('generation/responses.shape', created, (exchange) => …);
 * check('storage/deletion.leaves-others', { deleted, other }, ({ deleted, other }) => …);
 * ```
 *
 * @param id a row of the catalogue, with the value of its axis if it has one
 * @throws {UnknownRequirement} which stops the run before anything is sent
 */
export function check<On extends JudgedOn>(
  id: CheckId,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): void {
  register(captureCheck(loadCatalogue().find(id), on, judgement));
}

/**
 * Binds a requirement with an axis: `bind` returns scenarios and judgement for each value. Every value of the
 * catalogue row gets a check, so none can be forgotten.
 *
 * @param bind gets the value; for a product of two axes, both halves
 */
check.each = <On extends JudgedOn, Id extends AxisRequirementId>(
  requirement: Id,
  bind: (
    value: FirstOf<AxisValueOf<Id>>,
    second: SecondOf<AxisValueOf<Id>>,
  ) => { readonly on: On; readonly judge: Judgement<CapturedOn<On>> },
): void => {
  for (const [definition, { on, judge }] of boundEach(requirement, bind)) {
    register(captureCheck(definition, on, judge));
  }
};

/** Returns the rows of a requirement with an axis, each with the result of `bind`. */
export function boundEach<Bound, Id extends AxisRequirementId>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>, second: SecondOf<AxisValueOf<Id>>) => Bound,
  catalogue = loadCatalogue(),
): readonly (readonly [CheckDefinition, Bound])[] {
  const prefix = `${requirement}:`;
  const definitions = catalogue.checks.filter(({ id }) => id.startsWith(prefix));
  if (definitions.length === 0) catalogue.find(requirement);
  return definitions.map((definition) => {
    const [value, second] = (definition.value ?? '').split('.');
    const to = bind(value as FirstOf<AxisValueOf<Id>>, second as SecondOf<AxisValueOf<Id>>);
    return [definition, to];
  });
}

export function captureCheck<On extends JudgedOn>(
  definition: CheckDefinition,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): Check {
  const { id } = definition;
  return { id, definition, on, besides: askedAgainFor(id, on), judge: judgement };
}
