import { type Exchange, Inconclusive, requestInWords } from '../../harness/index.ts';

/**
 * An endpoint that is not there refuses everything, and says nothing of how it refuses. That it is
 * missing is a requirement of its own.
 *
 * @param baseline the answer to a good request
 */
export function assumeEndpointExists(baseline: Exchange): void {
  const status = baseline.response?.status ?? 0;
  if (![404, 405, 410].includes(status)) return;
  const reason = `${requestInWords(baseline)} is answered with ${status}, though it is a good request: the endpoint, or what it acts on, is not there`;
  throw new Inconclusive(reason, baseline);
}
