import { claims, type OtherGateway } from './gateway.ts';

/** A gateway that takes Chat Completions and Messages, and asks its providers several times by default. */
export const llmRouter: OtherGateway = {
  name: '@khanglvm/llm-router',
  short: 'llm-router',
  version: '2.6.2',
  // Draws the menus of its program, which are not needed; the registry does not have it.
  overrides: { '@levu/snap': 'npm:ms@2.1.3' },
  asksProvider: true,
  prepare: ({ port, upstream }) => {
    const config = {
      version: 2,
      masterKey: 'sk-owner-1',
      providers: [
        {
          id: 'reference',
          name: 'reference',
          baseUrl: `${upstream.regions[0]?.baseUrl}/v1`,
          apiKey: upstream.keys.owner,
          format: 'openai',
          models: [{ id: 'ts-chat' }],
        },
      ],
    };
    return {
      program: {
        uses: {
          './node_modules/@khanglvm/llm-router/src/node/local-server.js':
            '{ startLocalRouteServer }',
        },
        lines: `startLocalRouteServer({ port: ${port}, host: '127.0.0.1', configPath: 'config.json', requireAuth: true });\n`,
      },
      files: { 'config.json': JSON.stringify(config) },
      target: {
        keys: { owner: 'sk-owner-1' },
        models: [
          claims(
            'reference/ts-chat',
            ['chat', 'vendorA-messages'],
            ['stream', 'tools'],
            ['count_tokens'],
          ),
        ],
      },
    };
  },
};
