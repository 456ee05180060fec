import { test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import type { CheckDefinition } from '../core/requirement.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { currentSession } from './current-session.ts';
import { type Judgement, judge } from './judge.ts';
import { keep } from './many.ts';
import { outcomeOf } from './outcome.ts';
import { type PlannedScenario, planScenario } from './plan.ts';
import type { Scenario } from './scenario.ts';

/** What a check's test carries for the runner: which check it is, and what came of it. */
export interface CheckMeta {
  readonly id: string;
  /** Index of the target in the run. */
  readonly target: number;
  readonly scenario: string;
  /** Filled in when the checks are collected for a plan, and nothing is run. */
  readonly plan?: readonly PlannedScenario[];
  verdict?: CheckVerdict;
}

declare module '@vitest/runner' {
  interface TaskMeta {
    touchstone?: CheckMeta;
  }
}

/** Which scenario a check's test waits for; read by the set-up file that starts them all. */
export const scenarios = new Map<string, Scenario>();

/**
 * Binds a requirement to a scenario and a judgement. Becomes one Vitest test for each target.
 *
 * @param id a row of the catalogue, with the value of its axis where it has one
 * @throws {UnknownRequirement} which stops the run before anything is sent
 */
export function check<Captured>(
  id: string,
  scenario: Scenario<Captured>,
  judgement: Judgement<Captured>,
): void {
  define(loadCatalogue().find(id), scenario, judgement);
}

/**
 * A requirement with an axis, written once: `bind` is asked for each value what it is judged on.
 * Every value of the catalogue row gets its check, so none can be forgotten.
 *
 * @param bind gets the value; of the product of two axes, both halves. Their types are what the row
 *   says they are: the catalogue is data, and the compiler cannot know it.
 */
export function checkEach<Captured, Value extends string, Second extends string>(
  requirement: string,
  bind: (
    value: Value,
    second: Second,
  ) => { readonly on: Scenario<Captured>; readonly judge: Judgement<Captured> },
): void {
  const prefix = `${requirement}:`;
  const definitions = loadCatalogue().checks.filter(({ id }) => id.startsWith(prefix));
  if (definitions.length === 0) loadCatalogue().find(requirement);
  for (const definition of definitions) {
    const [value, second] = (definition.value ?? '').split('.');
    const { on, judge: judgement } = bind(value as Value, second as Second);
    define(definition, on, judgement);
  }
}

function define<Captured>(
  definition: CheckDefinition,
  scenario: Scenario<Captured>,
  judgement: Judgement<Captured>,
): void {
  const session = currentSession();
  if (!session.selects(definition.id)) return;
  register(scenario);
  if (session.many !== null) {
    keep(definition, scenario, judgement);
    return;
  }
  for (const [target, run] of session.runs.entries()) {
    const name =
      session.runs.length === 1 ? definition.id : `${run.target.name} › ${definition.id}`;
    const meta: CheckMeta = {
      id: definition.id,
      target,
      scenario: scenario.name,
      ...(session.planning ? { plan: planScenario(scenario, run.target) } : {}),
    };
    test(name, { timeout: 0, concurrent: true, meta: { touchstone: meta } }, async (context) => {
      const outcome = await outcomeOf(run, scenario);
      const verdict = judge(definition, outcome, judgement, run.target);
      context.task.meta.touchstone = { ...meta, verdict };
      session.judged(definition.id, verdict);
      await report(verdict, context);
    });
  }
}

function register(scenario: Scenario): void {
  const known = scenarios.get(scenario.name);
  if (known !== undefined && known !== scenario) {
    throw new Error(`Two scenarios are called ${scenario.name}; each needs a name of its own`);
  }
  scenarios.set(scenario.name, scenario);
  for (const before of Object.values(scenario.after)) register(before);
}

/** Shows a verdict in Vitest's own terms, for those who run the checks as ordinary tests. */
async function report(
  verdict: CheckVerdict,
  context: {
    skip(reason: string): never;
    annotate(text: string, type: string): Promise<unknown>;
  },
): Promise<void> {
  switch (verdict.state) {
    case 'pass':
      return;
    case 'warn':
    case 'note':
      await context.annotate(
        `expected ${verdict.expected}; ${verdict.actual}`,
        verdict.state === 'warn' ? 'warning' : 'notice',
      );
      return;
    case 'fail':
      throw shown(
        `expected ${verdict.expected}\n  actual ${verdict.actual}${where(verdict.evidence)}`,
      );
    case 'inconclusive':
      throw shown(`inconclusive: ${verdict.reason}${where(verdict.evidence)}`);
    case 'error':
      throw shown(verdict.reason);
    case 'not-applicable':
    case 'untestable':
    case 'excluded':
      context.skip(`${verdict.state}: ${verdict.reason}`);
  }
}

function where(evidence: { request: string; outcome: string; curl: string } | null): string {
  return evidence === null
    ? ''
    : `\nexchange ${evidence.request} → ${evidence.outcome}\n  repeat ${evidence.curl}`;
}

/** An error that prints as its text: Vitest shows a frame only where the stack has one. */
function shown(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
