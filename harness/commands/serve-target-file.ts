import { stringify } from 'yaml';
import type { ReferenceGateway } from '../reference/index.ts';

/** It stands on this machine and answers at once: nobody has to be spared. */
const limits = { concurrency: 16, requestsPerSecond: null };

/** What has to be known of a running reference gateway to use it, and to judge it. */
export type Served = Pick<
  ReferenceGateway,
  'regions' | 'names' | 'isMock' | 'keys' | 'retentionDays' | 'models' | 'probes' | 'withoutProbes'
>;

/** A target file that describes a running reference gateway, so that `touchstone run` can judge it. */
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
        // Those of the specification go without saying.
        ...(names.vendorA === 'vendorA' && names.vendorB === 'vendorB' ? {} : { names }),
        // What the newest Messages clients send.
        ...(isMock ? { acceptsAlso: { messages: ['bearer'] } } : {}),
        ...{ keys, retentionDays, models, limits },
        ...(withoutProbes ? { withoutProbes } : { probes }),
      },
      { aliasDuplicateObjects: false },
    )
  );
}
