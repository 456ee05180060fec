import { loadCatalogue, placeOf } from '../../core/index.ts';
import type { Unseen } from '../feature.ts';
import { isLimited } from './budget.ts';
import type { RunCommandOptions } from './run-options.ts';

/**
 * Decides how a run treats features that no free request shows. A budget leaves no room to try them, and
 * model lists need none.
 */
export function unseenIn({
  filters,
  limits,
}: Pick<RunCommandOptions, 'filters' | 'limits'>): Unseen {
  const selected = loadCatalogue().select(filters);
  const generates = selected.some(({ id }) => placeOf(id).subject !== 'models');
  return generates && !isLimited(limits) ? 'tried' : 'open';
}
