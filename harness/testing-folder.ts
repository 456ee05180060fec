import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Collects the temporary files of tests, and of the processes that they start, in a folder of their own,
 * which is removed when all are done: also the files of a test that was killed.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
