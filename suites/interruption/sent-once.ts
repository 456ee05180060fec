import type { Exchange } from '../../harness/index.ts';
import { onceFor } from '../scenarios/exchanges.ts';
import { clientRequestIdOf } from '../scenarios/metering/ledger-answers.ts';

const byId = onceFor(
  (all: readonly Exchange[]) => new Map(all.map((one) => [clientRequestIdOf(one), one])),
);

/**
 * Checks that each request has a unique id.
 *
 * @throws {Error} if one was sent twice: a bug of this suite, not a failure of the gateway
 */
export function checkSentOnce(exchange: Exchange, all: readonly Exchange[]): void {
  const id = clientRequestIdOf(exchange);
  if (byId(all).get(id) !== exchange) throw new Error(`Two requests were sent with the id ${id}`);
}
