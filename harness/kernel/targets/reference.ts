import {
  type ReferenceGateway,
  type ReferenceOptions,
  startReference,
} from '../../reference/index.ts';
import { trust } from '../wire/index.ts';
import { withDefaults } from './defaults.ts';
import type { Target } from './target.ts';

export interface StartedTarget {
  readonly target: Target;
  requestCount(): number;
  close(): Promise<void>;
}

export async function referenceTarget(options: ReferenceOptions = {}): Promise<StartedTarget> {
  const gateway = await startReference(options);
  for (const { baseUrl } of gateway.regions) {
    if (gateway.certificate !== null) trust(baseUrl, gateway.certificate);
  }
  const target = describeReference(gateway, options.names);
  return {
    target,
    requestCount: () => gateway.requestCount(),
    close: () => gateway.close(),
  };
}

/** The properties of a reference gateway that describe it as a target, in this process or another. */
type ReferenceDescription = Pick<
  ReferenceGateway,
  'regions' | 'keys' | 'models' | 'probes' | 'retentionDays' | 'isMock'
>;

/** Describes a reference gateway as a target. `names` are those it was started with. */
export function describeReference(
  { regions, keys, models, probes, retentionDays, isMock }: ReferenceDescription,
  names: ReferenceOptions['names'],
): Target {
  return withDefaults(
    {
      name: 'reference gateway',
      regions,
      ...(names === undefined ? {} : { names }),
      // The newest Messages clients send a bearer token.
      ...(isMock ? { acceptsAlso: { messages: ['bearer'] } } : {}),
      retentionDays,
      keys,
      models: models.map((model) => ({ ...model, deterministic: true })),
      probes,
      // The reference answers at once. With more concurrency, requests would only wait for one another, and actions
      // during a running response would come too late.
      limits: {
        concurrency: 16,
        requestsPerSecond: null,
        // The reference has no lockout. Set explicitly, because its containers may not be at loopback addresses.
        hostilePerSecond: null,
        timeoutMs: 20_000,
        patienceMs: 20_000,
      },
    },
    'reference gateway',
  );
}
