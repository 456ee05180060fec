import { describeReference, type Target } from '../../kernel/targets/index.ts';
import {
  type Balancer,
  Database,
  type ReferenceGateway,
  type ReferenceOptions,
  startBalancer,
  startReference,
  type Upstream,
} from '../../reference/index.ts';

export interface Started {
  readonly target: Target;
  close(): Promise<void>;
}

/** Describes a gateway with a balancer in front of every region: `baseUrl` of each region is that of its balancer. */
export function describeBalanced(
  gateway: ReferenceGateway,
  balancers: readonly Balancer[],
): Target {
  const regions = gateway.regions.map(({ name }, index) => ({
    name,
    baseUrl: balancers[index]?.baseUrl ?? '',
  }));
  const through = (urls: readonly string[]): readonly string[] =>
    urls.map((url, index) =>
      url.replace(gateway.regions[index]?.baseUrl ?? '', regions[index]?.baseUrl ?? ''),
    );
  const { ledger, clock } = gateway.probes;
  const probes = { ledger: { url: through(ledger.url) }, clock: { url: through(clock.url) } };
  return describeReference({ ...gateway, regions, probes }, undefined);
}

export function upstreamOf(baseUrl: string): Upstream {
  const { hostname, port } = new URL(baseUrl);
  return { host: hostname, port: Number(port) };
}

/**
 * Starts two nodes with one database, and a balancer per region that alternates between them. The nodes are
 * separate servers, and share only the database.
 *
 * @param defects defects of each node
 */
export async function startTwoNodes(
  defects: readonly [ReferenceOptions['defect'], ReferenceOptions['defect']],
): Promise<Started> {
  const database = new Database();
  const nodes = await Promise.all(
    defects.map((defect) => startReference({ database, ...(defect && { defect }) })),
  );
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no node');
  const balancers = await Promise.all(
    first.regions.map((_region, index) =>
      startBalancer(nodes.map(({ regions }) => upstreamOf(regions[index]?.baseUrl ?? ''))),
    ),
  );
  return {
    target: describeBalanced(first, balancers),
    async close() {
      await Promise.all(balancers.map((one) => one.close()));
      await Promise.all(nodes.map((one) => one.close()));
    },
  };
}
