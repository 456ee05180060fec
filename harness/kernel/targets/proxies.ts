import {
  type Proxies,
  proxiesIn,
  proxyAddress,
  proxyFor,
  proxyVariables,
  shownProxy,
} from '../wire/index.ts';
import type { Environment } from './environment.ts';
import type { Target } from './target.ts';
import { type Problem, TargetError } from './target-error.ts';

/**
 * Adds the proxies of the environment to a target, if one of its addresses is reached through one.
 *
 * @throws {TargetError} when a required proxy cannot be used
 */
export function withProxies(target: Target, environment: Environment): Target {
  const proxies = proxiesIn(environment);
  const used = proxiesOf(target, proxies);
  const problems = used.flatMap((text): Problem[] => {
    try {
      proxyAddress(text);
      return [];
    } catch (error) {
      const names = new Set([...proxyVariables.https, ...proxyVariables.http]);
      const field = [...names].find((name) => environment[name]?.trim() === text) ?? '';
      const why = error instanceof Error ? error.message : String(error);
      // The URL of the proxy is left out, because it may hold a password.
      const message = `This proxy cannot be used: ${why}. To go without, name the gateway in NO_PROXY.`;
      return [{ place: null, field, message }];
    }
  });
  if (problems.length > 0) throw new TargetError('the environment', problems);
  return used.length === 0 ? target : { ...target, proxies };
}

/** The proxies of requests to a target, without users and passwords. */
export function shownProxies(target: Target): string[] {
  const { proxies } = target;
  return proxies === undefined ? [] : [...new Set(proxiesOf(target, proxies).map(shownProxy))];
}

function proxiesOf({ regions, protocols, probes }: Target, proxies: Proxies): string[] {
  const places = [protocols, ...regions.map((region) => region.protocols ?? {})];
  const urls = [
    ...regions.map(({ baseUrl }) => baseUrl),
    ...places.flatMap((of) => Object.values(of).flatMap(({ baseUrl = '' }) => baseUrl)),
    ...probes.ledger,
    ...probes.clock,
  ];
  const used = urls
    .filter((url) => URL.canParse(url))
    .flatMap((url) => proxyFor(url, proxies) ?? []);
  return [...new Set(used)];
}
