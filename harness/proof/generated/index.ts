import { seedOf } from '../../kernel/drawn/index.ts';
import type { Override } from '../planting.ts';
import { answerDecisions } from './answers.ts';
import type { GeneratedFault, Plantable } from './decision.ts';
import { featureDecisions } from './features.ts';
import { requestDecisions } from './requests.ts';
import { storedDecisions } from './stored.ts';

export type { GeneratedFault } from './decision.ts';

let decisions: readonly Plantable[] | undefined;
let planted: readonly GeneratedFault[] | undefined;

export function allDecisions(): readonly Plantable[] {
  decisions ??= [
    ...storedDecisions(),
    ...requestDecisions(),
    ...answerDecisions(),
    ...featureDecisions(),
  ];
  return decisions;
}

/** Returns every generated fault. Created once. */
export function generatedFaults(): readonly GeneratedFault[] {
  planted ??= allDecisions().flatMap(({ conditions, planted }) => conditions.map(planted));
  return planted;
}

/** @throws {Error} if the decision does not exist */
function decisionNamed(name: string): Plantable {
  const decision = allDecisions().find((one) => one.id === name);
  if (decision === undefined) throw new Error(`There is no decision ${name}`);
  return decision;
}

/**
 * Returns the fault with this id. It may name any condition, including more axes than the listed faults: a decision
 * that is wrong for one value of each of three axes.
 *
 * @throws {Error} if the decision does not exist, or is never made under the condition
 */
export function generatedFault(id: string): GeneratedFault {
  const [name = '', ...values] = id.replace(/^generated\//, '').split('+');
  return decisionNamed(name).planted(
    values.map((pair) => {
      const [axis = '', value = ''] = pair.split('=');
      return [axis, value] as const;
    }),
  );
}

/** Plants a decision wrong where its axes have these values, for a handwritten fault. */
export function wrong(decision: string, where: Readonly<Record<string, string>>): Override {
  return (seams) => decisionNamed(decision).planted(Object.entries(where)).override(seams);
}

/**
 * Returns a random sample of at most `most` faults in their original order. A larger sample with the same seed
 * includes a smaller one.
 */
export function sampleOf(most: number, seed: number): readonly GeneratedFault[] {
  const ranked = generatedFaults().map((fault) => ({ fault, rank: seedOf(seed, fault.id) }));
  const drawn = new Set(
    ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, most)
      .map(({ fault }) => fault),
  );
  return generatedFaults().filter((fault) => drawn.has(fault));
}
