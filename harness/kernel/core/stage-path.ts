/**
 * Stands before every path at the gateway that a client under test speaks to: each start of the client has one of
 * its own. It belongs to the base address.
 */
const stagePath = /^\/s\/[0-9a-f]{16}(?=\/|$)/;

/** A path without it. */
export function belowStage(path: string): string {
  return path.replace(stagePath, '');
}
