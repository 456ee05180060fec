import { loadCatalogue, placeOf } from '../../core/index.ts';
import type { Unseen } from '../feature.ts';
import { isLimited, type Limits } from './budget.ts';
import type { RunCommandOptions } from './run-table.ts';

/** Decides if unseen features are tried: a budget leaves no room, and model lists need none. */
export function unseenIn(options: Pick<RunCommandOptions, 'ids' | keyof Limits>): Unseen {
  const selected = loadCatalogue('both-sides').select(options.ids);
  const generates = selected.some(({ id }) => placeOf(id).subject !== 'models');
  return generates && !isLimited(options) ? 'tried' : 'open';
}
