import { existsSync, fstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** A file or a folder that the present command reads or writes. */
interface UsedPath {
  readonly isWritten: boolean;
  /** Words for it in messages, such as `--json report.json`. */
  readonly said: string;
  readonly path: string;
  readonly real: string;
  /** Device and number of what is there, whatever its name (a hard link, a pipe); null: nothing. */
  readonly there: string | null;
}

let used: UsedPath[] = [];
const releases: (() => void)[] = [];

/** Has something released when the command ends. */
export function atEndOfCommand(release: () => void): void {
  releases.push(release);
}

/** Begins or ends a command: what was used before does not count. */
export function forgetPaths(): void {
  used = [];
  for (const release of releases.splice(0)) release();
  // A report and what is printed would overwrite each other.
  for (const [said, fd] of Object.entries({ 'standard output': 1, 'standard error': 2 })) {
    if (statOf(fd)?.isFile() !== true) continue;
    used.push({ isWritten: true, said, path: said, real: said, there: numberOf(fd) });
  }
}

/**
 * Notes a path that a command reads or writes, before it does so.
 *
 * @param said words for it in the message
 * @returns why it cannot be used: it is another output or an input, or lies in the way of one; null if it can
 */
export function usePath(use: 'read' | 'written', path: string, said: string): string | null {
  if (resolve(path) === devNull) return null;
  const [isWritten, real, there] = [use === 'written', foldedPath(realOf(path)), numberOf(path)];
  const own = { isWritten, said, path, real, there };
  for (const other of used) {
    if (!own.isWritten && !other.isWritten) continue;
    if (own.said === other.said && own.real === other.real) continue;
    const isSame = own.real === other.real || (own.there !== null && own.there === other.there);
    const problem = isSame
      ? `${said} and ${other.said} are the same file: name another for one of them.`
      : (conflictBelow(own, other) ?? conflictBelow(other, own));
    if (problem !== null) return problem;
  }
  used.push(own);
  return null;
}

/** Returns why a path cannot be used above another one; null if it can, or is not. */
function conflictBelow(above: UsedPath, below: UsedPath): string | null {
  if (!below.real.startsWith(above.real.endsWith(sep) ? above.real : above.real + sep)) return null;
  const said = `${below.said} lies within ${above.said}`;
  if (above.isWritten) return `${said}: name another place for one of them.`;
  if (existsSync(join(above.path, 'attestation.json'))) {
    return `${said}: a bundle holds its own files and nothing else: name a file outside of it.`;
  }
  const isRead = statOf(below.path)?.isFile() === true && !/\.html$/i.test(below.path);
  return isRead ? `${said}, which is read: name a new file.` : null;
}

/** Returns the real path of what may not be there yet: links are followed, also those that lead nowhere so far. */
function realOf(path: string, links = 0): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    // Nothing is there, or a link to nothing.
  }
  const folder = dirname(whole);
  try {
    if (links < 40) return realOf(resolve(folder, readlinkSync(whole)), links + 1);
  } catch {
    // No link is there.
  }
  return folder === whole ? whole : join(realOf(folder, links), basename(whole));
}

/** Returns a path in the letters of each folder that goes by any. */
function foldedPath(path: string): string {
  const [folder, name] = [dirname(path), basename(path)];
  if (folder === path) return path;
  return join(foldedPath(folder), ignoresCase(folder) ? name.normalize('NFC').toLowerCase() : name);
}

/** True if a folder, or the nearest one above it that is there, goes by other letters, too. */
function ignoresCase(folder: string): boolean {
  const name = basename(folder);
  if (name === '') return process.platform === 'darwin' || process.platform === 'win32';
  const there = numberOf(folder);
  const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  if (there === null || other === name) return ignoresCase(dirname(folder));
  return numberOf(join(dirname(folder), other)) === there;
}

function numberOf(path: string | number): string | null {
  const { dev, ino } = statOf(path) ?? {};
  return dev === undefined ? null : `${dev} ${ino}`;
}

function statOf(path: string | number): Stats | null {
  try {
    return typeof path === 'number' ? fstatSync(path) : statSync(path);
  } catch {
    return null;
  }
}

/** Returns the mode of a file that is written: a new one is its owner's alone, and one that is there keeps its own. */
export function modeOf(file: string): number {
  return (statOf(file)?.mode ?? 0o600) & 0o777;
}
