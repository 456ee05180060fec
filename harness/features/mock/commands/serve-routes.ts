import type { Command } from 'commander';
import type { Served } from '../../../kernel/targets/index.ts';
import { UsageError } from '../../../kernel/terminal/index.ts';
import {
  asServed,
  byPath,
  fixtureModels,
  probesAt,
  startBalancer,
} from '../../../reference/index.ts';

/** A region that is served elsewhere, below `/<region>` there as well as here. */
interface Route {
  readonly region: string;
  readonly host: string;
  readonly port: number;
}

/** Options that also apply to a balancer. All others concern its gateways. */
const mayStandBeside = new Set([
  ...['route', 'host', 'port', 'quiet'],
  ...['writeTarget', 'vendorA', 'vendorB', 'retentionDays'],
]);

/**
 * Starts a balancer for gateways that run elsewhere. Requests of a region go to its own gateway, because no other
 * one has its responses.
 */
export async function startRoutes(
  lines: readonly string[],
  command: Command,
  { host, port }: { readonly host: string; readonly port: number },
  described: Pick<Served, 'keys' | 'names' | 'retentionDays'>,
): Promise<Served & { close(): Promise<void> }> {
  const other = command.options.find(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !mayStandBeside.has(option.attributeName()),
  );
  if (other !== undefined) {
    throw new UsageError(
      `${other.long} says how a gateway answers, and with --route none is started here. Give it to those that the routes lead to.`,
    );
  }
  const routes = lines.map(routeOf);
  const prefixes = routes.map(({ region }) => `/${region}`);
  const balancer = await startBalancer(routes, { choose: byPath(prefixes), host, port });
  const regions = routes.map(({ region }) => ({
    name: region,
    baseUrl: `${balancer.baseUrl}/${region}`,
  }));
  return {
    ...described,
    regions,
    models: asServed(fixtureModels()),
    isMock: true,
    withoutProbes: false,
    probes: probesAt(regions.map(({ baseUrl }) => baseUrl)),
    close: () => balancer.close(),
  };
}

function routeOf(line: string): Route {
  const [, region = '', address = ''] = /^([\w.-]+)=(http:\/\/[^/]+)\/?$/.exec(line) ?? [];
  if (!URL.canParse(address)) {
    throw new UsageError(
      `--route ${line}: expected a region and where it is served, such as eu=http://eu:8787. It is served below /<region> there: serve --region eu --path-prefix /eu.`,
    );
  }
  const { hostname, port } = new URL(address);
  return { region, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
