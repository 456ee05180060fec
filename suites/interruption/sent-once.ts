import type { Exchange } from '../../harness/index.ts';
import { clientRequestIdOf } from '../scenarios/metering/ledger-answers.ts';

const known = new WeakMap<readonly Exchange[], ReadonlyMap<string, Exchange>>();

/**
 * Checks that each request has a unique id.
 *
 * @throws {Error} if one was sent twice: a bug of this suite, not a failure of the gateway
 */
export function checkSentOnce(exchange: Exchange, all: readonly Exchange[]): void {
  const byId = known.get(all) ?? new Map(all.map((one) => [clientRequestIdOf(one), one]));
  known.set(all, byId);
  const id = clientRequestIdOf(exchange);
  if (byId.get(id) !== exchange) throw new Error(`Two requests were sent with the id ${id}`);
}
