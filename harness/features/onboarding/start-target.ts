import { type Environment, inlineTarget, type Target } from '../../kernel/targets/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';
import { targetName } from './target-name.ts';

/** A region, by its address. */
export interface Region {
  readonly name: string;
  readonly baseUrl: string;
}

/** Header for a key, for an endpoint whose header the interface does not define. */
export interface CredentialPlace {
  readonly endpoint: keyof Target['credentials'];
  readonly header: string;
}

/** Address of a gateway, and headers for it. */
export interface Address {
  readonly baseUrl?: string;
  readonly region?: readonly Region[];
  readonly credential?: readonly CredentialPlace[];
  /** Headers for every request. */
  readonly header?: Readonly<Record<string, string>>;
}

/**
 * Returns the description of a gateway before it is inspected.
 *
 * @throws {TargetError} when an address is invalid, or the owner's key is missing
 * @throws {UsageError} when there is no address
 */
export function startTarget(
  { baseUrl, region: named = [], credential: places = [], header }: Address,
  out: string,
  environment: Environment,
): Target {
  const regions = [...(baseUrl === undefined ? [] : [{ name: 'default', baseUrl }]), ...named];
  const [first] = regions.map((one) => ({
    ...inlineTarget(
      {
        baseUrl: one.baseUrl,
        models: ['to-be-found'],
        ...(header === undefined ? {} : { headers: header }),
      },
      environment,
    ),
  }));
  if (first === undefined) {
    throw new UsageError('Name the gateway: --base-url URL, or --region NAME=URL for each region.');
  }
  const own = Object.fromEntries(places.map(({ endpoint, header }) => [endpoint, header]));
  const credentials = { ...first.credentials, ...own };
  const addresses = regions.map((one) => one.baseUrl);
  return { ...first, name: targetName(out, addresses), regions, credentials, models: [] };
}
