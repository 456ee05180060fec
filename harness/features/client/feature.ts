import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Clients:': {
      client: async (terminal, exit, line) =>
        (await import('./commands/client.ts')).clientCommand(terminal, exit, line),
    },
  },
  explainOfClient: async (withExamples) =>
    (await import('./commands/explain-client.ts')).explainOfClient(withExamples),
};
