import { type OtherGateway, type Place, type Prepared, publishers } from './gateway.ts';

/**
 * A gateway that is told by headers which provider a request goes to. The provider is the reference
 * gateway: behind `/v1/messages` as the publisher of Messages, behind everything else as that of
 * Responses and Chat Completions. Each region of it gets an entrance.
 */
export const portkey: OtherGateway = {
  name: '@portkey-ai/gateway',
  short: 'portkey',
  version: '1.15.2',
  // With later ones no answer that it passes on unchanged gets out: their Response cannot be changed.
  overrides: { '@hono/node-server': '1.13.5' },
  asksProvider: true,
  prepare: (place) => ({
    program: 'build/start-server.js',
    parameters: [`--port=${place.port}`, '--headless'],
    ...behindHeaders('portkey', place),
  }),
};

/** Configuration by headers, which begin with this prefix in Portkey and in its forks. */
export function behindHeaders(prefix: string, { upstream }: Place): Omit<Prepared, 'program'> {
  return {
    fronts: upstream.regions.map(({ name, baseUrl }) => ({
      region: name,
      headersFor: (path) => ({
        [`x-${prefix}-provider`]: path.startsWith('/v1/messages') ? 'anthropic' : 'openai',
        [`x-${prefix}-custom-host`]: `${baseUrl}/v1`,
        [`x-${prefix}-forward-headers`]: 'x-client-request-id',
      }),
    })),
    target: {
      names: publishers,
      keys: { ...upstream.keys },
      probes: upstream.probes,
      models: upstream.models
        .filter(({ id }) => id === 'ts-omni' || id === 'ts-shared')
        .map(({ id, permitted = [] }) => ({
          id,
          protocols: ['responses', 'vendorA-messages', 'chat'],
          supports: ['count_tokens', 'tools', 'stream', 'background', 'compact', 'input_tokens'],
          lacks: ['websocket'],
          permitted,
          deterministic: true,
        })),
    },
  };
}
