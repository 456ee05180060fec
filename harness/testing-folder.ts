import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What tests and the processes that they start put into the folder for temporary files goes into one of
 * its own there, which is gone when all are done: also what a test that was ended left behind.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
