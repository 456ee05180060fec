import {
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../core/index.ts';

/** Thrown if another process is writing the same file. */
export class FileInUse extends CommandError {
  override readonly name = 'FileInUse';

  constructor(file: string, { process, place }: Holder) {
    super(
      `${file}: another run (process ${process}${place === here() ? '' : `, ${place}`}) writes this file at this moment. Name another file, or wait until it has ended.`,
    );
  }
}

/** Process that holds a lock, and where its number counts. */
interface Holder {
  readonly process: number;
  readonly place: string;
}

/** Machine and, in a container, the processes that see each other. */
function here(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** The processes of another machine or container cannot be seen: what they hold counts for this time. */
const unseenMs = 600_000;

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
      writeFileSync(lock, `${process.pid} ${here()}`, { flag: 'wx', mode: 0o600 });
      return releasing(lock);
    } catch (error) {
      // A run is possible without a lock file. Recordings are never mixed in any case.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) break;
      const holder = holderOf(lock);
      if (holder?.process === process.pid && holder.place === here()) break;
      if (holder !== null && isRunning(holder, lock)) throw new FileInUse(file, holder);
      if (lstatSync(lock).isDirectory()) break;
      rmSync(lock, { force: true });
    }
  }
  return () => undefined;
}

/**
 * Returns the path of the lock file, beside `file`: who may write there may replace that file as well, and all
 * machines and containers that share the folder see it.
 */
export function lockOf(file: string): string {
  const path = resolve(file);
  return join(realpathSync(dirname(path)), `.${basename(path)}.lock`);
}

const held = new Set<string>();

function releasing(lock: string): () => void {
  if (held.size === 0) process.on('exit', releaseAll);
  held.add(lock);
  return () => {
    rmSync(lock, { force: true });
    held.delete(lock);
    if (held.size === 0) process.removeListener('exit', releaseAll);
  };
}

function releaseAll(): void {
  for (const lock of held) rmSync(lock, { force: true });
}

/** Returns the holder that a lock names, or null if it names none. */
function holderOf(lock: string): Holder | null {
  try {
    if (!lstatSync(lock).isFile()) return null;
    const [, id, place = ''] = /^(\d{1,10}) (.+)$/.exec(readFileSync(lock, 'utf8')) ?? [];
    return id === undefined ? null : { process: Number(id), place };
  } catch {
    return null;
  }
}

function isRunning({ process: id, place }: Holder, lock: string): boolean {
  if (place !== here()) return Date.now() - lstatSync(lock).mtimeMs < unseenMs;
  try {
    return process.kill(id, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
