import { type Cost, type EndpointName, endpoints } from '../../../harness/index.ts';

/**
 * What requests to an endpoint cost that all have to be refused: nothing, and where it generates so many
 * generations at a gateway that serves them.
 */
export function refusedCost(name: EndpointName, requests: number): Cost {
  return { requests, generations: 0, refused: endpoints[name].generates ? requests : 0 };
}
