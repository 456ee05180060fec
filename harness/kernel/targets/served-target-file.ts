import { stringify } from 'yaml';
import type { ReferenceGateway } from '../../reference/index.ts';

/** Limits without any pacing: the gateway runs on this machine and answers at once. */
const limits = { concurrency: 16, requestsPerSecond: null };

/** Facts of a running reference gateway that are needed to use and to judge it. */
export type Served = Pick<
  ReferenceGateway,
  'regions' | 'names' | 'isMock' | 'keys' | 'retentionDays' | 'models' | 'probes' | 'withoutProbes'
>;

/** A target file for a running reference gateway, for use with `touchstone run`. */
export function targetFileOf(gateway: Served): string {
  const { regions, names, isMock, keys, probes, retentionDays, withoutProbes } = gateway;
  const models = gateway.models.map((model) => ({ ...model, deterministic: true }));
  const head =
    '# The reference gateway, as `touchstone serve` started it. Its keys are no secrets; those of a\n' +
    `# real gateway belong in environment variables: \${NAME}.\n`;
  return (
    head +
    stringify(
      {
        name: 'served',
        regions,
        ...(regions.length === 1 ? { singleRegion: true } : {}),
        // The names of the specification are the default.
        ...(names.vendorA === 'vendorA' && names.vendorB === 'vendorB' ? {} : { names }),
        // The newest Messages clients send a bearer token.
        ...(isMock ? { acceptsAlso: { messages: ['bearer'] } } : {}),
        ...{ keys, retentionDays, models, limits },
        ...(withoutProbes ? { withoutProbes } : { probes }),
      },
      { aliasDuplicateObjects: false },
    )
  );
}
