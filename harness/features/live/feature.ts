import type { Feature } from '../../kernel/cli/index.ts';

/** `run --ui`: a page of this machine that shows a run while it goes on. */
export const feature: Feature = {
  modifiers: async () => [(await import('./live.ts')).live],
};
