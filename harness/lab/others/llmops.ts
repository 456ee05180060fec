import type { OtherGateway } from './gateway.ts';
import { behindHeaders } from './portkey.ts';

/** A fork of Portkey's gateway, as a library: the same headers tell it where a request goes. */
export const llmops: OtherGateway = {
  name: '@llmops/gateway',
  short: 'llmops',
  version: '0.6.10',
  beside: { '@hono/node-server': '1.13.5' },
  asksProvider: true,
  prepare: (place) => ({
    ...behindHeaders('llmops', place),
    program: {
      uses: { '@hono/node-server': '{ serve }', '@llmops/gateway': '{ default: gateway }' },
      lines: `serve({ fetch: gateway.fetch, port: ${place.port} });\n`,
    },
  }),
};
