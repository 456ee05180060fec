import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Clients:': {
      serve: async (terminal) => (await import('./commands/serve.ts')).serveCommand(terminal),
    },
  },
};
