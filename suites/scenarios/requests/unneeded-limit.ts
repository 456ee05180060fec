import { assumeServed, type Exchange, expect } from '../../../harness/index.ts';

/**
 * What needs no output limit is served without one, if it is with one. Refused either way, or
 * answered with something else, it shows nothing.
 */
export function expectLimitUnneeded(unlimited: Exchange, limited: Exchange): void {
  if (hasErrorStatus(unlimited)) {
    assumeServed(limited);
    expect(unlimited).toBeServed();
  }
  assumeServed(unlimited);
}

export function hasErrorStatus({ response }: Exchange): boolean {
  return response !== null && response.status >= 400;
}
