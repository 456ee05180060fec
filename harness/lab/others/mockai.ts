import type { OtherGateway } from './gateway.ts';

/** A mock of Chat Completions that answers with one of the texts it brings. It knows no keys, and no list. */
export const mockai: OtherGateway = {
  name: 'aimock',
  short: 'mockai',
  version: '0.2.9',
  // mockai uses this package without declaring it.
  beside: { tslib: '2.8.1' },
  prepare: ({ port }) => ({
    program: 'dist/cli.js',
    environment: { MOCK_PORT: String(port) },
    target: {
      keys: { owner: 'sk-owner-1' },
      models: [
        {
          id: 'gpt-3.5-turbo',
          protocols: ['chat'],
          supports: ['stream'],
          lacks: ['tools'],
          deterministic: false,
        },
      ],
    },
  }),
};
