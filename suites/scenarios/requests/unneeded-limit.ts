import { assumeServed, type Exchange, expect } from '../../../harness/index.ts';

/**
 * Expects a request without an output limit to be served if the same one with a limit is. If both are
 * refused, or answered with something else, nothing is decided.
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
