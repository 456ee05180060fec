import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  protocolTitles,
} from '../../kernel/core/index.ts';
import { boundEach, type Check, type JudgeContext, register } from '../../kernel/engine/index.ts';
import { judgeEach } from '../../kernel/judge/index.ts';
import type { ClientScenario, InProtocol } from './client-scenario.ts';

/** Judges one requirement on the capture of one protocol. Throws if it does not hold. */
type ClientJudgement<Captured> = (captured: Captured, bench: JudgeContext) => unknown;

/**
 * Binds a requirement of the client to the scenarios that it is judged on, and to a judgement, which runs once for
 * each protocol that the client speaks.
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
  register(checkOfClient(loadCatalogue('client').find(id), [on].flat(), judgement));
}

/** Binds a requirement of the client with an axis. */
export function clientCheckEach<Captured, Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>) => {
    readonly on: ClientScenario<Captured> | readonly ClientScenario<Captured>[];
    readonly judge: ClientJudgement<Captured>;
  },
): void {
  for (const [definition, { on, judge }] of boundEach(requirement, bind, loadCatalogue('client'))) {
    register(checkOfClient(definition, [on].flat(), judge));
  }
}

function checkOfClient<Captured>(
  definition: CheckDefinition,
  scenarios: readonly ClientScenario<Captured>[],
  judgement: ClientJudgement<Captured>,
): Check {
  return {
    ...{ id: definition.id, definition, ofAny: true },
    on: Object.fromEntries(scenarios.map((one) => [one.name, one])),
    judge: (captured: readonly InProtocol<Captured>[], bench) =>
      judgeEach(
        captured,
        ({ protocol }) => protocolTitles[protocol],
        (one) => judgement(one.captured, bench),
        { noun: 'conversation', needsAll: true },
      ),
  };
}
