/** Path prefix for one start of a client under test. It is part of the base address. */
const stagePath = /^\/s\/[0-9a-f]{16}(?=\/|$)/;

/** Returns a path without that prefix. */
export function belowStage(path: string): string {
  return path.replace(stagePath, '');
}
