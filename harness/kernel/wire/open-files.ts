import { readFileSync } from 'node:fs';

/** File descriptors that a process needs in addition to connections, for modules, reports and watched files. */
const ownFiles = 64;
/** File descriptors of a connection: the reference gateway may run in the same process and hold its other end. */
const filesOfConnection = 2;

/** Returns how many connections this process can have at once, or infinity if no limit is known. */
export function mostConnections(limits = limitsOfProcess()): number {
  const allowed = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.floor((allowed - ownFiles) / filesOfConnection));
}

/**
 * Returns the limits of this process, or an empty text if the system does not provide them. A Node report contains
 * them as well, but takes seconds to resolve names.
 */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
