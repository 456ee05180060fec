import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  type SecondOf,
} from '../core/index.ts';
import type { Target } from '../targets/index.ts';
import { askedAgainFor, isLeftOpen, neverServed } from './again/never-served.ts';
import { outcomeOn } from './capture.ts';
import { judgedAt } from './home.ts';
import { type Judgement, judge, type Settled } from './judge.ts';
import { exchangesOf } from './outcome.ts';
import { type InRegion, joined, unlessMissing, unlessServed } from './regions.ts';
import { type Check, register } from './registry.ts';
import {
  type CapturedOn,
  type JudgedOn,
  onInRegion,
  scenariosIn,
  withPrerequisites,
} from './scenario.ts';
import { wholeRunOf } from './sent.ts';
import type { TargetRun } from './session.ts';

/**
 * Binds a requirement to what it is judged on, and to a judgement.
 *
 * ```ts
 * check('generation/responses.shape', created, (exchange) => …);
 * check('storage/deletion.leaves-others', { deleted, other }, ({ deleted, other }) => …);
 * ```
 *
 * @param id a row of the catalogue, with the value of its axis where it has one
 * @throws {UnknownRequirement} which stops the run before anything is sent
 */
export function check<On extends JudgedOn>(
  id: CheckId,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): void {
  register(bound(loadCatalogue().find(id), on, judgement));
}

/**
 * A requirement with an axis, written once: `bind` is asked for each value what it is judged on.
 * Every value of the catalogue row gets its check, so none can be forgotten.
 *
 * @param bind gets the value; of the product of two axes, both halves
 */
export function checkEach<On extends JudgedOn, Id extends AxisRequirementId>(
  requirement: Id,
  bind: (
    value: FirstOf<AxisValueOf<Id>>,
    second: SecondOf<AxisValueOf<Id>>,
  ) => { readonly on: On; readonly judge: Judgement<CapturedOn<On>> },
): void {
  registerEach(requirement, bind, (definition, { on, judge: judgement }) =>
    bound(definition, on, judgement),
  );
}

/** Registers the check of every value of a requirement with an axis. */
export function registerEach<Bound, Id extends AxisRequirementId>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>, second: SecondOf<AxisValueOf<Id>>) => Bound,
  make: (definition: CheckDefinition, to: Bound) => Check,
): void {
  const prefix = `${requirement}:`;
  const definitions = loadCatalogue().checks.filter(({ id }) => id.startsWith(prefix));
  if (definitions.length === 0) loadCatalogue().find(requirement);
  for (const definition of definitions) {
    const [value, second] = (definition.value ?? '').split('.');
    const to = bind(value as FirstOf<AxisValueOf<Id>>, second as SecondOf<AxisValueOf<Id>>);
    register(make(definition, to));
  }
}

/** A check as the registry keeps it. */
export function bound<On extends JudgedOn>(
  definition: CheckDefinition,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): Check {
  const placesAt = ({ regions }: Pick<Target, 'regions'>) => [
    { region: null, on },
    ...regions
      .slice(definition.inEachRegion === true ? 1 : regions.length)
      .map(({ name: region }) => ({
        region,
        on: onInRegion(on, region),
      })),
  ];
  return {
    id: definition.id,
    definition,
    on,
    places: placesAt,
    besides: askedAgainFor(definition.id, on),
    ready: async (run) => {
      const judged = await Promise.all(
        placesAt(run.target).map(async (place) => {
          const outcome = await outcomeOn(run, place.on);
          const { target, lacksModels, hasModels } = await judgedAt(run, place);
          const settled = await settledIn(run, definition.id, place.on);
          return async (): Promise<InRegion> => {
            const { region } = place;
            const at = { region, hasModels };
            const verdict = judge(definition, outcome, judgement, target, at, settled);
            if (region === null) return { region: run.target.regions[0]?.name ?? '', verdict };
            if (lacksModels) return { region, verdict: unlessServed(verdict) };
            return { region, verdict: await unlessMissing(verdict, () => wholeRunOf(run)) };
          };
        }),
      );
      return async () => joined(await Promise.all(judged.map((one) => one())));
    },
  };
}

/**
 * Waits for the end of the run if that may settle what the check has left open. Otherwise returns undefined
 * at once.
 */
async function settledIn(
  run: TargetRun,
  check: string,
  on: JudgedOn,
): Promise<Settled | undefined> {
  const settled = await Promise.all(
    [...withPrerequisites(scenariosIn(on))].map(async (scenario) => {
      const outcome = await run.outcomes.get(scenario);
      return { scenario, exchanges: outcome === undefined ? [] : exchangesOf(outcome) };
    }),
  );
  if (!settled.some(({ exchanges }) => exchanges.some(isLeftOpen))) return undefined;
  const whole = await wholeRunOf(run);
  const { target } = run;
  return (exchange, isExpected) => {
    if (exchange === null) return null;
    const isHostile = settled.some(
      ({ scenario, exchanges }) =>
        scenario.hostile !== null && exchanges.some(({ key }) => key === exchange.key),
    );
    return neverServed(exchange, { check, isExpected, isHostile, target }, whole.exchanges);
  };
}
