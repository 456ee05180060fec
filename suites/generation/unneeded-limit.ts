import { type Exchange, expect, mustBeServed } from '../../harness/index.ts';

/**
 * What needs no output limit is served without one, if it is with one. Refused either way, or
 * answered with something else, it shows nothing.
 */
export function unneeded(unlimited: Exchange, limited: Exchange | null): void {
  const refused = unlimited.response !== null && unlimited.response.status >= 400;
  if (refused && limited !== null) {
    mustBeServed(limited);
    expect(unlimited).toBeServed();
  }
  mustBeServed(unlimited);
}
