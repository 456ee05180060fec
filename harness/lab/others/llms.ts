import { claims, type OtherGateway, publishers } from './gateway.ts';

/** The library inside of claude-code-router, which takes Messages and asks over Chat Completions. It knows no keys. */
export const llms: OtherGateway = {
  name: '@musistudio/llms',
  short: 'llms',
  version: '1.0.53',
  asksProvider: true,
  prepare: ({ port, upstream }) => {
    const reference = {
      name: 'reference',
      api_base_url: `${upstream.regions[0]?.baseUrl}/v1/chat/completions`,
      api_key: upstream.keys.owner,
      models: ['ts-chat'],
    };
    const config = { HOST: '127.0.0.1', PORT: String(port), providers: [reference] };
    return {
      program: {
        // The module that an `import` would load does not start.
        uses: { 'node:module': '{ createRequire }' },
        lines: `
const { default: Server } = createRequire(import.meta.url)('@musistudio/llms');
new Server({ initialConfig: ${JSON.stringify(config)}, logger: false }).start();
`,
      },
      target: {
        names: publishers,
        keys: { owner: 'sk-owner-1' },
        models: [
          claims('reference,ts-chat', ['vendorA-messages'], ['tools', 'stream'], ['count_tokens']),
        ],
      },
    };
  },
};
