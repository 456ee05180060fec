import { type Cost, type EndpointName, endpoints } from '../../../harness/index.ts';

/**
 * Returns the cost of requests that all have to be refused: no generation, or one each at a gateway that
 * serves them.
 */
export function refusedCost(name: EndpointName, requests: number): Cost {
  const refused = endpoints[name].generates ? requests : 0;
  return { requests, generations: 0, refused, ...limitOf(name) };
}

/** Neither a compaction nor a decision takes an output limit. */
export function limitOf(name: EndpointName): { readonly outputTokens?: null } {
  return name === 'compact' || name === 'systemone' ? { outputTokens: null } : {};
}
