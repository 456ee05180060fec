import type { OtherGateway } from './gateway.ts';

/** A mock of Chat Completions by rules. As it comes, it echoes the last message. It knows no keys. */
export const mockLlm: OtherGateway = {
  name: '@dwmkerr/mock-llm',
  short: 'mock-llm',
  version: '0.1.29',
  prepare: ({ port }) => ({
    program: 'dist/main.js',
    parameters: [],
    environment: { HOST: '127.0.0.1', PORT: String(port) },
    target: {
      keys: { owner: 'sk-owner-1' },
      models: [
        {
          id: 'gpt-5.2',
          protocols: ['chat'],
          supports: ['stream'],
          lacks: ['tools'],
          deterministic: true,
        },
      ],
    },
  }),
};
