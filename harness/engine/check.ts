import { test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import type {
  Area,
  AxisRequirementId,
  AxisValueOf,
  CheckId,
  FirstOf,
  RuleOf,
  SecondOf,
} from '../core/id-types.ts';
import type { CheckDefinition } from '../core/requirement.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { currentSession } from './current-session.ts';
import { type Judgement, judge } from './judge.ts';
import { keep } from './many.ts';
import { outcomeOn } from './outcome.ts';
import { type PlannedScenario, planScenarios } from './plan.ts';
import { type CapturedOn, type JudgedOn, type Scenario, scenariosIn } from './scenario.ts';

/** What a check's test carries for the runner: which check it is, and what came of it. */
export interface CheckMeta {
  readonly id: string;
  /** Index of the target in the run. */
  readonly target: number;
  /** Names of the scenarios that it is judged on. */
  readonly scenarios: readonly string[];
  /** Filled in when the checks are collected for a plan, and nothing is run. */
  readonly plan?: readonly PlannedScenario[];
  verdict?: CheckVerdict;
}

declare module '@vitest/runner' {
  interface TaskMeta {
    touchstone?: CheckMeta;
  }
}

/** What each check is judged on, by its id; read by the set-up file that starts it all. */
export const judgedOn = new Map<string, JudgedOn>();

/** Every scenario by its name, with those that come before others. */
export const scenarios = new Map<string, Scenario>();

/**
 * Binds a requirement to what it is judged on and a judgement. Becomes one Vitest test for each target.
 *
 * ```ts
 * check('generation/responses.shape', created, (exchange) => …);
 * check('storage/deletion.gone', { deleted, other }, ({ deleted, other }) => …);
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
  define(loadCatalogue().find(id), on, judgement);
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
  const prefix = `${requirement}:`;
  const definitions = loadCatalogue().checks.filter(({ id }) => id.startsWith(prefix));
  if (definitions.length === 0) loadCatalogue().find(requirement);
  for (const definition of definitions) {
    const [value, second] = (definition.value ?? '').split('.');
    const { on, judge: judgement } = bind(
      value as FirstOf<AxisValueOf<Id>>,
      second as SecondOf<AxisValueOf<Id>>,
    );
    define(definition, on, judgement);
  }
}

/** Rows of one area that are judged alike, such as the rules of a stream grammar. */
export function checkRules<On extends JudgedOn, Name extends Area, Rule extends RuleOf<Name>>(
  area: Name,
  rules: readonly Rule[],
  on: On,
  judgement: (rule: Rule) => Judgement<CapturedOn<On>>,
): void {
  for (const rule of rules) {
    define(loadCatalogue().find(`${area}.${rule}`), on, judgement(rule));
  }
}

function define<On extends JudgedOn>(
  definition: CheckDefinition,
  on: On,
  judgement: Judgement<CapturedOn<On>>,
): void {
  const session = currentSession();
  if (!session.selects(definition.id)) return;
  const own = scenariosIn(on);
  own.forEach(register);
  judgedOn.set(definition.id, on);
  if (session.many !== null) {
    keep(definition, on, judgement);
    return;
  }
  for (const [target, run] of session.runs.entries()) {
    const name =
      session.runs.length === 1 ? definition.id : `${run.target.name} › ${definition.id}`;
    const meta: CheckMeta = {
      id: definition.id,
      target,
      scenarios: own.map(({ name }) => name),
      ...(session.planning ? { plan: planScenarios(own, run.target) } : {}),
    };
    test(name, { timeout: 0, concurrent: true, meta: { touchstone: meta } }, async (context) => {
      const outcome = await outcomeOn(run, on);
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
