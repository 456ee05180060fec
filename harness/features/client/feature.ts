import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Clients:': {
      client: async (terminal, exit, line) =>
        (await import('./commands/client.ts')).clientCommand(terminal, exit, line),
    },
  },
  rejudgeClient: async (from, options) =>
    (await import('./rejudge-client.ts')).rejudgeClient(from, options),
  explainOfClient: async (withExamples) =>
    (await import('./commands/explain-client.ts')).explainOfClient(withExamples),
};
