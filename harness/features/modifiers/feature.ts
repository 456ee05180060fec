import type { Feature } from '../../kernel/cli/index.ts';

/** Several runs, parts of one, load during it, and runs on request. Each wraps how a target is judged. */
export const feature: Feature = {
  commands: {
    'Requirements and reports:': {
      merge: async (terminal, exit) => (await import('./merge.ts')).mergeCommand(terminal, exit),
    },
  },
  modifiers: async () => (await import('./index.ts')).modifiers,
};
