import type { Target } from './target.ts';

export interface TargetAddress {
  /** Purpose of the address, in words of the target file. */
  readonly what: string;
  readonly url: string;
  /** Name of the region whose requests use it. If absent, requests of any region may. */
  readonly region?: string;
}

/** All addresses that requests to a target use: of regions, of protocols with their own address, of probes. */
export function addressesOf({ regions, protocols, probes }: Target): readonly TargetAddress[] {
  const placed = regions.flatMap((region) =>
    Object.entries({ ...protocols, ...region.protocols }).map(([protocol, { baseUrl = '' }]) => ({
      what: `${protocol} in region ${region.name}`,
      url: baseUrl,
      region: region.name,
    })),
  );
  const probed = Object.entries(probes).flatMap(([probe, urls]) =>
    [...urls].map((url: string) => ({ what: `probe ${probe}`, url })),
  );
  const all = [
    ...regions.map(({ name, baseUrl }) => ({ what: `region ${name}`, url: baseUrl, region: name })),
    ...placed,
    ...probed,
  ];
  // A path is below the address of its region.
  return all.filter(({ url }) => URL.canParse(url));
}
