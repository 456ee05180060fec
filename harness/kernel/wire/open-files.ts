import { readFileSync } from 'node:fs';

/**
 * File descriptors that a process needs in addition to connections: modules yet to be loaded, reports,
 * watched files.
 */
const ownFiles = 64;
/** The reference gateway may be in the same process, and has an end of each connection, too. */
const filesOfConnection = 2;

/** Returns how many connections this process can have at once, or infinity if no limit is known. */
export function mostConnections(limits = limitsOfProcess()): number {
  const allowed = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.floor((allowed - ownFiles) / filesOfConnection));
}

/**
 * Returns the limits of this process, or an empty text if the system does not tell. A report of Node has
 * them, too, but looks names up for seconds.
 */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
