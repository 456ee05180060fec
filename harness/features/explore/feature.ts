import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Look further:': {
      explore: async (terminal, exit) =>
        (await import('./commands/explore.ts')).exploreCommand(terminal, exit),
    },
  },
  recheckExploration: async (...asked) =>
    (await import('./commands/recheck-exploration.ts')).recheckExploration(...asked),
};
