import { claims, type OtherGateway, publishers } from './gateway.ts';

/**
 * A gateway that takes Messages and asks its providers over Chat Completions: here the reference
 * gateway. It checks one key of its own.
 */
export const claudeCodeRouter: OtherGateway = {
  name: '@musistudio/claude-code-router',
  short: 'claude-code-router',
  version: '2.0.0',
  asksProvider: true,
  prepare: ({ port, upstream }) => ({
    program: 'dist/cli.js',
    parameters: ['start'],
    files: {
      '.claude-code-router/config.json': JSON.stringify({
        APIKEY: 'sk-owner-1',
        PORT: port,
        LOG: false,
        NON_INTERACTIVE_MODE: true,
        Providers: [
          {
            name: 'reference',
            api_base_url: `${upstream.regions[0]?.baseUrl}/v1/chat/completions`,
            api_key: upstream.keys.owner,
            models: ['ts-chat'],
          },
        ],
        Router: { default: 'reference,ts-chat' },
      }),
    },
    target: {
      names: publishers,
      keys: { owner: 'sk-owner-1' },
      models: [
        claims('reference,ts-chat', ['vendorA-messages'], ['count_tokens', 'tools', 'stream']),
      ],
    },
  }),
};
