import { randomUUID } from 'node:crypto';
import { exchangeId, type Provenance } from '../core/index.ts';
import { buildRequest, secretsOf } from '../protocols/index.ts';
import { ProvenanceLog } from '../recordings/index.ts';
import { assertReachable, routesOf, type Target } from '../targets/index.ts';
import { send, startClock } from '../wire/index.ts';
import { asker } from './free-requests.ts';
import { assertLooksLikeGateway } from './looks-like-gateway.ts';

/**
 * Checks that every region has a gateway, before requests cost anything: requests the model list, and what no
 * gateway can serve.
 *
 * @returns peers of the connections
 * @throws {Unreachable}
 */
export async function askAllRegions(
  target: Target,
  stop: AbortSignal,
): Promise<Provenance | undefined> {
  const seen = await askForLists(target, stop);
  await assertLooksLikeGateway(target, asker(target, stop));
  return seen;
}

/**
 * Requests the model list of every region once, to check that it answers and accepts the key.
 * @throws {Unreachable}
 */
export async function askForLists(
  target: Target,
  stop: AbortSignal,
): Promise<Provenance | undefined> {
  const startedAt = new Date().toISOString();
  const log = new ProvenanceLog();
  const wire = {
    clock: startClock(),
    timeoutMs: Math.min(target.limits.timeoutMs, 30_000),
    routes: routesOf(target),
    secrets: secretsOf({ ...target, keys: { ...target.keys } }),
    stop,
  };
  await assertReachable(target, async (region) => {
    const call = {
      operation: 'models.list',
      protocol: 'models',
      method: 'GET',
      path: '/v1/models',
      expects: 'json',
    } as const;
    const ids = {
      id: exchangeId({ scenario: 'reachable', lane: region.name }),
      clientRequestId: randomUUID(),
    };
    const request = buildRequest(call, { region: region.name }, target, ids);
    const exchange = await send(request, wire);
    log.add(exchange);
    return exchange;
  });
  return log.provenance(startedAt);
}
