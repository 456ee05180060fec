import {
  type AxisRequirementId,
  type AxisValueOf,
  type CheckDefinition,
  type CheckId,
  type FirstOf,
  loadCatalogue,
  protocols,
  protocolTitles,
} from '../../kernel/core/index.ts';
import {
  boundEach,
  type Check,
  type JudgedExchanges,
  register,
} from '../../kernel/engine/index.ts';
import { judgeEach, NothingToJudge } from '../../kernel/judge/index.ts';
import type { ClientScenario, InProtocol } from './client-scenario.ts';
import type { ClientSession } from './session.ts';

/**
 * Judges one requirement on the capture of one protocol. Throws if it does not hold.
 *
 * @param ordinary the start of the same form in which everything was served
 */
type ClientJudgement<Captured> = (captured: Captured, ordinary: ClientSession) => unknown;

/**
 * Binds a requirement of the client to the scenarios that it is judged on, and to a judgement, which runs once for
 * each protocol that the client speaks.
 *
 * ```ts
 * clientCheck('client/errors.in-stream', broken, (session, ordinary) => …);
 * ```
 */
export function clientCheck<Captured>(
  id: CheckId & `client/${string}`,
  on: ClientScenario<Captured> | readonly ClientScenario<Captured>[],
  judgement: ClientJudgement<Captured>,
): void {
  register(checkOfClient(loadCatalogue('client').find(id), [on].flat(), judgement));
}

clientCheck.each = <Captured, Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>) => {
    readonly on: ClientScenario<Captured> | readonly ClientScenario<Captured>[];
    readonly judge: ClientJudgement<Captured>;
  },
): void => {
  for (const [definition, { on, judge }] of boundEach(requirement, bind, loadCatalogue('client'))) {
    register(checkOfClient(definition, [on].flat(), judge));
  }
};

function checkOfClient<Captured>(
  definition: CheckDefinition,
  scenarios: readonly ClientScenario<Captured>[],
  judgement: ClientJudgement<Captured>,
): Check {
  const { value } = definition;
  const only = protocols.find((protocol) => protocol === value);
  const isAsked = ({ protocol }: InProtocol<Captured>) => only === undefined || protocol === only;
  return {
    ...{ id: definition.id, definition, ofAny: true },
    on: Object.fromEntries(scenarios.map((one) => [one.name, one])),
    judge: (captured: readonly InProtocol<Captured>[]) => {
      const asked = captured.filter(isAsked);
      if (asked.length === 0) throw new NothingToJudge(`the client does not speak ${only}`);
      return judgeEach(
        asked,
        ({ protocol }) => protocolTitles[protocol],
        (one) => judgement(one.captured, one.ordinary),
        { noun: 'conversation', needsAll: true },
      );
    },
  };
}

type ClientObserved = Omit<JudgedExchanges, 'partial'>;

const observed = new Map<string, JudgedExchanges>();

/** Binds a requirement of the client to observed exchanges. Their answers do not matter. */
export function clientObserved(id: CheckId & `client/${string}`, on: ClientObserved): void {
  observed.set(loadCatalogue('client').find(id).id, { ...on, partial: true });
}

/** Binds a requirement with an axis. Null: observed exchanges cannot show it. */
clientObserved.each = <Id extends AxisRequirementId & `client/${string}`>(
  requirement: Id,
  bind: (value: FirstOf<AxisValueOf<Id>>) => ClientObserved | null,
): void => {
  for (const [{ id }, on] of boundEach(requirement, bind, loadCatalogue('client'))) {
    if (on !== null) observed.set(id, { ...on, partial: true });
  }
};

/** Returns the judgement of observed exchanges for a requirement of the client, if any. */
export function observedOfClient(id: string): JudgedExchanges | undefined {
  return observed.get(id);
}
