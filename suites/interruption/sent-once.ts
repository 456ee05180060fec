import { clientRequestIdOf, type Exchange } from '../../harness/index.ts';

const known = new WeakMap<readonly Exchange[], ReadonlyMap<string, Exchange>>();

/** Each request has an id of its own. @throws {Error} when one was sent twice: no gateway's failure, but ours */
export function checkSentOnce(exchange: Exchange, all: readonly Exchange[]): void {
  const byId = known.get(all) ?? new Map(all.map((one) => [clientRequestIdOf(one), one]));
  known.set(all, byId);
  const id = clientRequestIdOf(exchange);
  if (byId.get(id) !== exchange) throw new Error(`Two requests were sent with the id ${id}`);
}
