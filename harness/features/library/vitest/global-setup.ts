import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { loadTarget, referenceTarget } from '../../../kernel/targets/index.ts';
import { assertOneWorker } from './one-worker.ts';
import type { VitestRun } from './run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: VitestRun;
    /** Options in the configuration of a Vitest project. Null if the environment decides. */
    touchstoneProject?: { readonly target: string | null; readonly seed: number | null };
  }
}

/**
 * Global setup to run checks as ordinary Vitest tests: against the target file that the project or
 * TOUCHSTONE_TARGET names, else against the embedded reference gateway.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertOneWorker(project.config);
  const configured = project.getProvidedContext().touchstoneProject;
  const file = configured?.target ?? process.env.TOUCHSTONE_TARGET;
  const { target, close } =
    file === undefined
      ? await referenceTarget()
      : { target: loadTarget(file), close: () => Promise.resolve() };
  project.provide('touchstone', {
    target,
    seed: configured?.seed ?? Number(process.env.TOUCHSTONE_SEED ?? 1),
    runId: randomUUID(),
  });
  return close;
}
