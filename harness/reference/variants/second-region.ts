import { Refusal } from '../refusal.ts';
import type { Variant } from './variant.ts';

// No source says that every region offers the same.

const second = 'us';

export const secondRegionVariants: readonly Variant[] = [
  {
    id: 'regions.second-serves-responses-alone',
    what: 'The second region serves Responses and the list of the `/v1` family, and nothing else.',
    override: ({ endpoints }) => ({
      endpoints: {
        routes: (dialect) =>
          endpoints.routes(dialect).map((route) => ({
            ...route,
            handle: (call, key) => {
              const offered = /^(responses\.|models\.list)/.test(call.operation);
              if (call.gateway.region !== second || offered) return route.handle(call, key);
              throw new Refusal('unknown-path', `Unknown request URL: ${call.path}.`);
            },
          })),
      },
    }),
  },
  {
    id: 'regions.second-lists-shared-models',
    what: 'The lists of the second region have only the models that every key may use.',
    override: ({ policy }) => ({
      policy: {
        listedModels: (key, call) =>
          policy
            .listedModels(key, call)
            .filter(
              ({ permitted }) => call.gateway.region !== second || permitted.includes('restricted'),
            ),
      },
    }),
  },
];
