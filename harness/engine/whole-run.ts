import type { Exchange } from '../core/exchange.ts';
import { exchangesOf } from './outcome.ts';
import { scenario } from './scenario.ts';

/**
 * Every exchange of the run but its own: for what must hold of all of them. It sends nothing, and has
 * its outcome when all other scenarios have theirs.
 */
export const wholeRun = scenario(
  'whole-run',
  { cost: { requests: 0, generations: 0 } },
  async ({ others }): Promise<{ readonly exchanges: readonly Exchange[] }> => {
    const outcomes = await others();
    return { exchanges: outcomes.flatMap(exchangesOf) };
  },
);
