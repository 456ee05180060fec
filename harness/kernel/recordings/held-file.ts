import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../core/index.ts';

/** Thrown if another process is writing the same file. */
export class FileInUse extends CommandError {
  override readonly name = 'FileInUse';

  constructor(file: string, process: number) {
    super(
      `${file}: another run (process ${process}) writes this file at this moment. Name another file, or wait until it has ended.`,
    );
  }
}

/**
 * Locks a file for this process until the returned function is called or the process ends. The lock of a killed
 * process is ignored.
 *
 * @param file whose folder exists
 * @throws {FileInUse} while another process holds the lock
 */
export function holdFile(file: string): () => void {
  const lock = lockOf(file);
  for (let looked = 0; looked < 2; looked++) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
      return releasing(lock);
    } catch (error) {
      // A run is possible without a lock file. Recordings are never mixed in any case.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) break;
      const holder = holderOf(lock);
      if (holder === process.pid) break;
      if (isRunning(holder)) throw new FileInUse(file, holder);
      rmSync(lock, { force: true });
    }
  }
  return () => undefined;
}

/**
 * Returns the path of the lock file that names the process that writes `file`. The path is not next to the user's
 * file, and does not depend on how the file is named.
 */
export function lockOf(file: string): string {
  const path = resolve(file);
  const whole = join(realpathSync(dirname(path)), basename(path));
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 32);
  return join(tmpdir(), `touchstone-${digest}.lock`);
}

const held = new Set<string>();

function releasing(lock: string): () => void {
  if (held.size === 0) process.on('exit', releaseAll);
  held.add(lock);
  return () => {
    held.delete(lock);
    if (held.size === 0) process.removeListener('exit', releaseAll);
    rmSync(lock, { force: true });
  };
}

function releaseAll(): void {
  for (const lock of held) rmSync(lock, { force: true });
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return Number.NaN;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
