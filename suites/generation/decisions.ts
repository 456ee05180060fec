import { scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { isRefused } from '../scenarios/unneeded-limit.ts';

/**
 * The baseline decision, which sets no output limit; where it is refused, the same with the limits
 * of other protocols, to see whether that is what it lacks.
 */
export const decision = scenario(
  'systemone/decision',
  { after: { decision: baseline.systemone }, cost: { requests: 1, generations: 1 } },
  async ({ systemone, target }, { decision: { baseline: unlimited } }) => {
    if (!isRefused(unlimited)) return { unlimited, limited: unlimited };
    const limit = target.limits.maxOutputTokens;
    return { unlimited, limited: await systemone.create({ max_tokens: limit }) };
  },
);
