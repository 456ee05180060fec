import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Judge a gateway:': {
      init: async (terminal, exit) =>
        (await import('./commands/init.ts')).initCommand(terminal, exit),
      doctor: async (terminal, exit) =>
        (await import('./commands/doctor.ts')).doctorCommand(terminal, exit),
    },
  },
  lookFirst: async (...asked) => (await import('./commands/look-first.ts')).lookFirst(...asked),
};
