import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  loadCatalogue,
  protocolTitles,
} from '../../core/index.ts';
import { judgeEach } from '../../judge/index.ts';
import { outcomeOf } from '../capture.ts';
import { type JudgeContext, judge } from '../judge.ts';
import type { Outcome } from '../outcome.ts';
import { type Check, register } from '../registry.ts';
import type { ClientScenario, InProtocol } from './client-scenario.ts';

/**
 * Judges one requirement on what was captured in one protocol. Throws if the requirement does not hold, as
 * a judgement of a gateway does.
 */
export type ClientJudgement<Captured> = (captured: Captured, bench: JudgeContext) => unknown;

/**
 * Binds a requirement of the client to the scenarios that it is judged on, and to a judgement: of each protocol
 * that the client speaks, one.
 *
 * ```ts
 * clientCheck('client/requests.credential-header', [served, streamed], (session) => …);
 * ```
 */
export function clientCheck<Captured>(
  id: CheckId & `client/${string}`,
  on: ClientScenario<Captured> | readonly ClientScenario<Captured>[],
  judgement: ClientJudgement<Captured>,
): void {
  register(bound(loadCatalogue('client').find(id), [on].flat(), judgement));
}

/** A requirement with an axis, written once. */
export function clientCheckEach<Captured, Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: AxisValueOf<Id>) => {
    readonly on: ClientScenario<Captured> | readonly ClientScenario<Captured>[];
    readonly judge: ClientJudgement<Captured>;
  },
): void {
  const definitions = loadCatalogue('client').checks.filter(({ id }) =>
    id.startsWith(`${requirement}:`),
  );
  for (const definition of definitions) {
    const { on, judge: judgement } = bind(definition.value as AxisValueOf<Id>);
    register(bound(definition, [on].flat(), judgement));
  }
}

/** Joins what all scenarios captured. A scenario that has nothing to judge does not affect the others. */
function joined<Captured>(
  outcomes: readonly Outcome<readonly InProtocol<Captured>[]>[],
): Outcome<readonly InProtocol<Captured>[]> {
  const open = outcomes.find(({ kind }) => kind === 'error' || kind === 'inconclusive');
  if (open !== undefined) return open;
  const captured = outcomes.flatMap((one) => (one.kind === 'captured' ? one : []));
  const [first] = outcomes;
  if (captured.length === 0 && first !== undefined) return first;
  return {
    kind: 'captured',
    captured: captured.flatMap((one) => one.captured),
    exchanges: captured.flatMap(({ exchanges }) => exchanges),
  };
}

function bound<Captured>(
  definition: CheckDefinition,
  scenarios: readonly ClientScenario<Captured>[],
  judgement: ClientJudgement<Captured>,
): Check {
  const on = Object.fromEntries(scenarios.map((one) => [one.name, one]));
  return {
    id: definition.id,
    definition,
    on,
    places: () => [{ region: null, on }],
    ready: async (run) => {
      const outcome = joined(await Promise.all(scenarios.map((one) => outcomeOf(run, one))));
      return () =>
        judge(
          definition,
          outcome,
          (captured, bench) =>
            judgeEach(
              captured,
              ({ protocol }) => protocolTitles[protocol],
              (one) => judgement(one.captured, bench),
              { noun: 'conversation', needsAll: true },
            ),
          run.target,
        );
    },
  };
}
