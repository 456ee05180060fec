import { beforeAll, inject, type TestContext, test } from 'vitest';
import { type CheckVerdict, withoutLogCommands } from '../../../kernel/core/index.ts';
import { FileByFile } from '../../../kernel/engine/index.ts';
import { currentRun } from './run.ts';

declare module 'vitest' {
  interface TaskMeta {
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
const checks = new FileByFile(currentRun(told));

// Setup file of checks as ordinary tests: registers a test for each check of a file. Only this module imports
// Vitest in the worker, and the running Vitest provides the import, so there is only one copy.
checks.onCheck((id, isRun) => {
  test.runIf(isRun)(id, { timeout: 0, concurrent: true }, async (context) => {
    const verdict = await checks.verdictOf(id);
    context.task.meta.touchstone = verdict;
    await report(verdict, context);
  });
});

/**
 * Starts all scenarios of a file together. Vitest runs tests in order, so that with a memo filled on demand, every
 * chain of requests would wait for the preceding one.
 *
 * A hook instead of top-level code, because Vitest also evaluates setup files to collect tests, and listing must
 * send no request. At this point, Vitest has applied its filters to the test modes.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the parameter's text, and takes a pattern only
beforeAll(async ({}, { tasks }) => {
  await checks.start(tasks.flatMap(({ name, mode }) => (mode === 'run' ? [name] : [])));
});

async function report(verdict: CheckVerdict, context: TestContext): Promise<void> {
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

/** An error that prints as its text only: Vitest shows a code frame only if there is a stack. */
function shown(text: string): Error {
  const message = withoutLogCommands(text);
  const error = new Error(message);
  error.stack = message;
  return error;
}
