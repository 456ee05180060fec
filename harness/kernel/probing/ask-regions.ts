import { randomUUID } from 'node:crypto';
import { exchangeId, type Provenance } from '../core/index.ts';
import { ProvenanceLog } from '../engine/index.ts';
import { buildRequest, secretsOf } from '../protocols/index.ts';
import { assertReachable, routesOf, type Target } from '../targets/index.ts';
import { send, startClock } from '../wire/index.ts';
import { asker } from './free-requests.ts';
import { assertLooksLikeGateway } from './looks-like-gateway.ts';

/**
 * Looks in every region whether a gateway is there, before anything is paid for: asks for the list, and for
 * what no gateway can serve.
 *
 * @returns with whom that was
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

/** Asks every region once whether it is there, and takes the key. @throws {Unreachable} */
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
