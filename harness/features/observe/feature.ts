import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Look further:': {
      observe: async (terminal, exit) =>
        (await import('./commands/observe.ts')).observeCommand(terminal, exit),
    },
  },
  rejudgeObserved: async (from, options) =>
    (await import('./rejudge-observed.ts')).rejudgeObserved(from, options),
};
