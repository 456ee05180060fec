import { assumeServed, type Exchange, expect } from '../../../harness/index.ts';

/**
 * Expects a request without an output limit to be served if the same request with a limit is served. The check
 * stays undecided if both are refused or get another answer.
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
