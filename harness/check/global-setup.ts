import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { loadTarget } from '../target/load.ts';
import { referenceTarget } from '../target/reference.ts';
import { assertOneWorker } from './one-worker.ts';

/**
 * Global set-up for running checks as ordinary Vitest tests, in an editor or in watch mode: against
 * the target file that TOUCHSTONE_TARGET names, else against the embedded reference gateway.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertOneWorker(project.config);
  const file = process.env.TOUCHSTONE_TARGET;
  const { target, close } =
    file === undefined
      ? await referenceTarget()
      : { target: loadTarget(file), close: () => Promise.resolve() };
  project.provide('touchstone', {
    targets: [target],
    seed: Number(process.env.TOUCHSTONE_SEED ?? 1),
    runId: randomUUID(),
    selected: null,
    recording: null,
  });
  return close;
}
