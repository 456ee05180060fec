import {
  type ReferenceGateway,
  type ReferenceOptions,
  startReference,
} from '../../reference/index.ts';
import { trust } from '../wire/index.ts';
import { withDefaults } from './defaults.ts';
import type { Target } from './target.ts';

/** A target that was started for this run. */
export interface StartedTarget {
  readonly target: Target;
  /** HTTP requests and upgrades that it has seen. */
  requestCount(): number;
  close(): Promise<void>;
}

/** Starts the reference gateway in this process, and describes it as a target. */
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

/** The part of a reference gateway that a target is made of, wherever it runs. */
type ReferenceDescription = Pick<
  ReferenceGateway,
  'regions' | 'keys' | 'models' | 'probes' | 'retentionDays' | 'isMock'
>;

/** Describes a reference gateway as a target. `names`: as it was started with. */
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
      // The reference answers at once. With more concurrency, requests would only wait for one another, and
      // acts that have to happen while something runs would come too late.
      limits: {
        concurrency: 16,
        requestsPerSecond: null,
        // Nobody is locked out, wherever its containers are.
        hostilePerSecond: null,
        timeoutMs: 20_000,
        patienceMs: 20_000,
      },
    },
    'reference gateway',
  );
}
