import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** What of Vitest says which one it is. */
export interface RunningVitest {
  readonly version: string;
  /** The folder of its compiled code. */
  readonly distPath: string;
}

/**
 * Checks register their tests with the Vitest that this package finds. Were it another than the one
 * that runs, that one would see no tests, and say something that teaches nothing.
 *
 * @throws {Error} naming both
 */
export function assertOneVitest({ distPath, version }: RunningVitest): void {
  const found = createRequire(import.meta.url).resolve('vitest/package.json');
  if (realpathSync(dirname(distPath)) === realpathSync(dirname(found))) return;
  const needed: unknown = JSON.parse(readFileSync(found, 'utf8')).version;
  throw new Error(
    `Touchstone's checks need Vitest ${String(needed)}, which lies in ${dirname(found)}; what runs ` +
      `is Vitest ${version} in ${dirname(distPath)}. Install vitest@${String(needed)} in your ` +
      'project, so that there is one, or use the command: npx touchstone run',
  );
}
