import {
  assumeServed,
  type Cost,
  type EndpointName,
  type Exchange,
  endpoints,
  expect,
} from '../../../harness/index.ts';

/**
 * Returns the cost of requests that all have to be refused: no generations, or one each at a gateway that serves
 * them.
 */
export function refusedCost(name: EndpointName, requests: number): Cost {
  const refused = endpoints[name].generates ? requests : 0;
  return { requests, generations: 0, refused, ...limitOf(name) };
}

/** Returns the output limit of the cost: null for a compaction and a decision, which take none. */
export function limitOf(name: EndpointName): { readonly outputTokens?: null } {
  return name === 'compact' || name === 'systemone' ? { outputTokens: null } : {};
}

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
