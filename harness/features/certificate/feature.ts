import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Certificates:': {
      certify: async (terminal, exit) =>
        (await import('./commands/certify.ts')).certifyCommand(terminal, exit),
      verify: async (terminal, exit) =>
        (await import('./commands/verify.ts')).verifyCommand(terminal, exit),
    },
  },
};
