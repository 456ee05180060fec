import { clientRequestIdOf, type Exchange } from '../../harness/index.ts';

/** Each request has an id of its own. @throws {Error} when one was sent twice: no gateway's failure, but ours */
export function checkSentOnce(exchanges: readonly Exchange[]): void {
  const seen = new Set<string>();
  for (const exchange of exchanges) {
    const id = clientRequestIdOf(exchange);
    if (seen.has(id)) throw new Error(`Two requests were sent with the id ${id}`);
    seen.add(id);
  }
}
