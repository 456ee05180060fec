import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadTarget } from '../target/load.ts';
import { referenceTarget } from '../target/reference.ts';
import { assertOneWorker } from './one-worker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the configuration of a Vitest project says; null: what the environment says. */
    touchstoneProject?: { readonly target: string | null; readonly seed: number | null };
  }
}

/**
 * Global set-up for running checks as ordinary Vitest tests: against the target file that the project
 * or TOUCHSTONE_TARGET names, else against the embedded reference gateway.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertOneVitest(project.vitest);
  assertOneWorker(project.config);
  const configured = project.getProvidedContext().touchstoneProject;
  const file = configured?.target ?? process.env.TOUCHSTONE_TARGET;
  const { target, close } =
    file === undefined
      ? await referenceTarget()
      : { target: loadTarget(file), close: () => Promise.resolve() };
  project.provide('touchstone', {
    targets: [target],
    seed: configured?.seed ?? Number(process.env.TOUCHSTONE_SEED ?? 1),
    runId: randomUUID(),
    selected: null,
    recording: null,
  });
  return close;
}

/**
 * Checks register their tests with the Vitest that this package finds. Were it another than the one
 * that runs, that one would see no tests, and say something that teaches nothing.
 *
 * @throws {Error} naming both
 */
function assertOneVitest({ distPath, version }: TestProject['vitest']): void {
  const found = createRequire(import.meta.url).resolve('vitest/package.json');
  if (realpathSync(dirname(distPath)) === realpathSync(dirname(found))) return;
  const needed: unknown = JSON.parse(readFileSync(found, 'utf8')).version;
  throw new Error(
    `Touchstone's checks need Vitest ${String(needed)}, which lies in ${dirname(found)}; what runs ` +
      `is Vitest ${version} in ${dirname(distPath)}. Install vitest@${String(needed)} in your ` +
      'project, so that there is one, or use the command: npx touchstone run',
  );
}
