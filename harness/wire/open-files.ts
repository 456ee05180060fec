import { readFileSync } from 'node:fs';

/** What a process needs besides connections: modules that are yet to be loaded, reports, watched files. */
const ownFiles = 64;
/** The reference gateway may be in the same process, and has an end of each connection, too. */
const filesOfConnection = 2;

/** So many connections this process can have at once; infinity where no limit is known. */
export function mostConnections(limits = limitsOfProcess()): number {
  const allowed = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.floor((allowed - ownFiles) / filesOfConnection));
}

/** Empty where the system does not tell. A report of Node would, and looks names up for seconds. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
