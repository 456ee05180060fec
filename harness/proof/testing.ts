import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../core/package-root.ts';

const command = join(packageRoot, 'dist', 'harness', 'commands', 'main.js');

/** Minutes on two cores that have other tests to run beside; a run that hangs is ended. */
export const patience = 8 * 60_000;

/** For tests: runs the compiled command and gives what it printed. */
export function touchstone(...line: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [command, ...line], { stdio: ['ignore', 'pipe', 'pipe'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, printed: Buffer.concat(pieces).toString() }));
  });
}
