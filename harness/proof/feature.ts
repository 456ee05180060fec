import type { Feature } from '../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Other:': {
      prove: async (terminal, exit) =>
        (await import('./commands/prove.ts')).proveCommand(terminal, exit),
    },
  },
  plantedFaults: async () => {
    const { faults } = await import('./faults/index.ts');
    const { noticedByChecks } = await import('./noticed-by.ts');
    return { faults, noticedByChecks };
  },
};
