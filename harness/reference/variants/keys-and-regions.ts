import { Refusal } from '../refusal.ts';
import type { Variant } from './variant.ts';

// How a key is written, and what the second region offers, no source says.

const second = 'us';

export const keyAndRegionVariants: readonly Variant[] = [
  {
    id: 'auth.keys-in-any-case',
    what: 'The letter case of a key does not count.',
    warns: ['responses', 'chat-completions', 'messages', 'generative', 'systemone'].map(
      (protocol) => `rules/auth.near-miss-refused:${protocol}.other-case`,
    ),
    override: ({ policy }) => ({
      policy: {
        keyFor: (secret, call) =>
          policy.keyFor(secret, call) ??
          call.gateway.keys.find((key) => key.secret.toLowerCase() === secret?.toLowerCase()),
      },
    }),
  },
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
