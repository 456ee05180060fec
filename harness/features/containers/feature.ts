import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  startInContainers: async (signal) => (await import('./start.ts')).startInContainers(signal),
};
