import type { Feature } from '../../kernel/cli/index.ts';

/** Both sides of a gateway. Its scenarios and checks stand in `suites/provider/`, and play the providers in a run. */
export const feature: Feature = {
  modifiers: async () => [(await import('./remarks.ts')).remarks],
};
