import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Requirements and reports:': {
      board: async (terminal, exit) =>
        (await import('./commands/board.ts')).boardCommand(terminal, exit),
      diff: async (terminal, exit) =>
        (await import('./commands/diff.ts')).diffCommand(terminal, exit),
    },
  },
};
