import { compareIds, type Exchange, formatSender } from '../core/index.ts';
import { exchangesOf, type Outcome } from './outcome.ts';
import { scenariosCalled } from './registry.ts';
import type { Scenario } from './scenario.ts';
import type { TargetRun } from './session.ts';
import type { WholeRun } from './whole-run.ts';

/**
 * Returns the outcomes of all scenarios of a run that have started, without those with `aside`, and on request with
 * those that come last. Prerequisites may start meanwhile, so it repeats until there are no new ones.
 */
async function outcomesIn(
  run: TargetRun,
  { last }: { readonly last: boolean },
): Promise<readonly Outcome[]> {
  let outcomes: readonly Outcome[] = [];
  for (;;) {
    const started = [...run.outcomes].filter(
      ([scenario]) => !scenario.aside && (last || !scenario.last),
    );
    if (started.length === outcomes.length) return outcomes;
    outcomes = await Promise.all(started.map(([, outcome]) => outcome));
  }
}

interface Gathered {
  readonly outcomes: readonly Outcome[];
  readonly whole: WholeRun;
}

const gathered = new WeakMap<TargetRun, Gathered>();

/** Returns all exchanges, after the last started scenario has its outcome. Ends the load then. */
export async function wholeRunOf(run: TargetRun): Promise<WholeRun> {
  const outcomes = await outcomesIn(run, { last: true });
  const known = gathered.get(run);
  if (known !== undefined && isSame(known.outcomes, outcomes)) return known.whole;
  const beside = (await run.load?.end()) ?? [];
  const exchanges = inOrder([
    // An error is internal to Touchstone: its exchanges show nothing.
    ...outcomes.flatMap((outcome) => (outcome.kind === 'error' ? [] : exchangesOf(outcome))),
    ...beside,
  ]);
  const whole = { target: run.target, exchanges, sentinels: run.sentinels ?? [] };
  gathered.set(run, { outcomes, whole });
  return whole;
}

function isSame(some: readonly Outcome[], others: readonly Outcome[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

/** Returns the exchanges that were sent before a final scenario. */
export async function sentBefore(
  run: TargetRun,
  { name, last }: Scenario,
): Promise<readonly Exchange[]> {
  if (!last) throw new Error(`${name} does not come last: it cannot know what will be sent`);
  const outcomes = await outcomesIn(run, { last: false });
  const isElse = ({ id }: Exchange): boolean => {
    const by = formatSender(id);
    const known = [...run.outcomes.keys(), ...scenariosCalled([by])];
    return known.some(({ last, aside, name }) => (last || aside) && name === by);
  };
  const recorded = run.recorded?.filter((exchange) => !isElse(exchange));
  return inOrder(recorded ?? outcomes.flatMap(exchangesOf));
}

/** Sorts exchanges by their ids, which do not depend on timing. */
export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return [...exchanges].sort((one, other) => compareIds(one.id, other.id));
}
