import { compareIds, type Exchange, formatSender } from '../core/index.ts';
import { exchangesOf, type Outcome } from './outcome.ts';
import { scenariosCalled } from './registry.ts';
import type { Scenario } from './scenario.ts';
import type { TargetRun } from './session.ts';
import type { WholeRun } from './whole-run.ts';

interface Gathered {
  readonly started: readonly Promise<Outcome>[];
  readonly outcomes: Promise<readonly Outcome[]>;
}

/** Last outcomes gathered in a run. `ordinary` has no scenarios that come last. */
const gathered = {
  all: new WeakMap<TargetRun, Gathered>(),
  ordinary: new WeakMap<TargetRun, Gathered>(),
};

/**
 * Returns the outcomes of all started scenarios of a run, without those that were sent aside. `ordinary` leaves out
 * those that come last. Prerequisites may start meanwhile, so it repeats until there are no new ones. The list is the
 * same object for as long as nothing starts.
 */
async function outcomesIn(
  run: TargetRun,
  which: keyof typeof gathered,
): Promise<readonly Outcome[]> {
  let last: Gathered | undefined;
  for (;;) {
    const started = [...run.outcomes]
      .filter(([scenario]) => !scenario.aside && (which === 'all' || !scenario.last))
      .map(([, outcome]) => outcome);
    if (last !== undefined && isSame(last.started, started)) return last.outcomes;
    last = gathered[which].get(run);
    if (last === undefined || !isSame(last.started, started)) {
      last = { started, outcomes: Promise.all(started) };
      gathered[which].set(run, last);
    }
    await last.outcomes;
  }
}

const wholes = new WeakMap<readonly Outcome[], Promise<WholeRun>>();

/** Returns all exchanges, after the last started scenario has its outcome. Ends the load then. */
export async function wholeRunOf(run: TargetRun): Promise<WholeRun> {
  const outcomes = await outcomesIn(run, 'all');
  const known = wholes.get(outcomes);
  if (known !== undefined) return known;
  const whole = wholeOf(run, outcomes);
  wholes.set(outcomes, whole);
  return whole;
}

async function wholeOf(run: TargetRun, outcomes: readonly Outcome[]): Promise<WholeRun> {
  const underLoad = (await run.load?.end()) ?? [];
  const exchanges = inOrder([
    // An error is internal to Touchstone: its exchanges show nothing.
    ...outcomes.flatMap((outcome) => (outcome.kind === 'error' ? [] : exchangesOf(outcome))),
    ...underLoad,
  ]);
  return { target: run.target, exchanges, sentinels: run.sentinels ?? [] };
}

function isSame<Value>(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

interface Before {
  readonly others: number;
  readonly sent: readonly Exchange[];
}

const before = new WeakMap<readonly Outcome[], Before>();

/** Returns the exchanges that were sent before a final scenario: the same list for all of them. */
export async function sentBefore(
  run: TargetRun,
  { name, last }: Scenario,
): Promise<readonly Exchange[]> {
  if (!last) throw new Error(`${name} does not come last: it cannot know what will be sent`);
  const outcomes = await outcomesIn(run, 'ordinary');
  const isNotBefore = (one: Scenario): boolean => one.last || one.aside;
  const others = new Set([...run.outcomes.keys()].filter(isNotBefore).map(({ name }) => name));
  const known = before.get(outcomes);
  if (known?.others === others.size) return known.sent;
  const ownNames = new Set(
    [...new Set(run.recorded?.map(({ id }) => formatSender(id)))].filter(
      (by) => !others.has(by) && !scenariosCalled([by]).some(isNotBefore),
    ),
  );
  const recorded = run.recorded?.filter(({ id }) => ownNames.has(formatSender(id)));
  const sent = inOrder(recorded ?? outcomes.flatMap(exchangesOf));
  before.set(outcomes, { others: others.size, sent });
  return sent;
}

/** Sorts exchanges by their ids, which do not depend on timing. */
function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return [...exchanges].sort((one, other) => compareIds(one.id, other.id));
}
