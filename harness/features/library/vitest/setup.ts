import { beforeAll, inject, type TestContext, test } from 'vitest';
import { type CheckVerdict, withoutLogCommands } from '../../../kernel/core/index.ts';
import {
  type Check,
  judgedOn,
  leftOpenBy,
  onCheck,
  scenariosToRun,
  startScenarios,
  whenReady,
  withoutKeysIn,
} from '../../../kernel/engine/index.ts';
import { currentRun } from './run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Verdict of a check, for reporters. */
    touchstone?: CheckVerdict;
  }
}

const told = inject('touchstone');
if (told === undefined) {
  throw new Error(
    'No target: the checks run through `touchstone run`, or through a Vitest project whose global ' +
      'set-up names one: see gateway-touchstone/vitest',
  );
}
const run = currentRun(told);
const checks = new Map<string, Check>();

// Set-up file of the checks as ordinary tests: makes one of each that a file registers. Only this module
// imports Vitest in the worker, and whichever Vitest runs it gives it itself; so there is only one.
onCheck((check) => {
  // Nothing is asked for a group of rows that a restriction leaves open.
  const isRun = leftOpenBy(check.id, run.target) === null;
  if (isRun) checks.set(check.id, check);
  test.runIf(isRun)(check.id, { timeout: 0, concurrent: true }, async (context) => {
    const verdict = await (await whenReady(run, check))();
    context.task.meta.touchstone = verdict;
    await report(verdict, context);
  });
});

/**
 * Starts all that a file needs together. Vitest runs tests in order, and a memo that only filled when
 * asked would make every chain of requests wait for the one before it.
 *
 * A hook, and not the module's top level: Vitest evaluates set-up files when it only collects, too, and
 * listing must send nothing. By now it has applied its own filters to the modes.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the parameter's text, and takes a pattern only
beforeAll(async ({}, { tasks }) => {
  const on = tasks.flatMap(({ name, mode }) => {
    const check = mode === 'run' ? checks.get(name) : undefined;
    if (check === undefined) return [];
    return judgedOn(check, run.target).flatMap((one) => scenariosToRun(one, run.target));
  });
  // A final scenario covers all that was sent before it, so it runs again even if an earlier file had
  // requested it.
  for (const scenario of run.outcomes.keys()) {
    if (scenario.last) run.outcomes.delete(scenario);
  }
  run.prioritise(on);
  await startScenarios(run, on);
});

/** Shows a verdict in Vitest's own terms. */
async function report(judged: CheckVerdict, context: TestContext): Promise<void> {
  const verdict = withoutKeysIn(judged);
  switch (verdict.state) {
    case 'pass':
      return;
    case 'warn':
    case 'note':
      await context.annotate(
        withoutLogCommands(`expected ${verdict.expected}; ${verdict.actual}`),
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
function shown(text: string): Error {
  const message = withoutLogCommands(text);
  const error = new Error(message);
  error.stack = message;
  return error;
}
