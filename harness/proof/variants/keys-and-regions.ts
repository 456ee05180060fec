import type { Operation } from '../../reference/dialect.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { mayReach, type StoredOperation } from '../../reference/store.ts';
import { decide } from '../decisions.ts';
import { handling, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// How a key is written, and what the second region offers, no source says.

const second = 'us';

/** Sends who may reach a response to the region that made it. */
const sendingHome: Defect['override'] = (seams) => {
  const hosts = new Map<string, string>();
  const named: readonly (readonly [Operation, StoredOperation])[] = [
    ['responses.lookup', 'lookup'],
    ['responses.recover', 'recover'],
    ['responses.input-items', 'input-items'],
    ['responses.cancel', 'cancel'],
    ['responses.delete', 'delete'],
  ];
  return together(
    ({ policy, encode }) => ({
      policy: {
        credential: (credential, call) => {
          hosts.set(call.gateway.region, call.headers.host ?? '');
          return policy.credential(credential, call);
        },
      },
      encode: {
        status: (kind, status, context) =>
          context.refusal?.headers.location === undefined
            ? encode.status(kind, status, context)
            : 307,
      },
    }),
    ...named.map(([operation, as]) =>
      handling(operation, (handle) => (call, key) => {
        const { gateway, path, query, params } = call;
        const record = gateway.store.peek(params.id ?? '');
        if (record === undefined || record.region === gateway.region) return handle(call, key);
        const there = { ...call, gateway: { ...gateway, region: record.region } };
        if (!mayReach({ operation: as, record, key, call: there })) return handle(call, key);
        const location = `http://${hosts.get(record.region)}${path}${query.size > 0 ? `?${query}` : ''}`;
        throw new Refusal('unknown-response', 'Ask its own region.', null, { location });
      }),
    ),
  )(seams);
};

export const keyAndRegionVariants: readonly Variant[] = [
  {
    id: 'auth.keys-in-any-case',
    what: 'The letter case of a key does not count.',
    warns: ['responses', 'chat-completions', 'messages', 'generative', 'systemone'].map(
      (protocol) => `access/credentials.altered-key-refused:${protocol}.other-case`,
    ),
    override: decide(
      'keyFor',
      (native) => (secret, call) =>
        native(secret, call) ??
        call.gateway.keys.find((key) => key.secret.toLowerCase() === secret?.toLowerCase()),
    ),
  },
  {
    id: 'regions.sent-home',
    what: 'What is asked of another region about a response is redirected to its own, with 307.',
    override: sendingHome,
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
    override: decide(
      'listedModels',
      (native) => (key, call) =>
        native(key, call).filter(
          ({ permitted }) => call.gateway.region !== second || permitted.includes('restricted'),
        ),
    ),
  },
];
