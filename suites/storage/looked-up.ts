import { view } from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';

/** The stored response: its creation, its lookup, and its input items. */
export const lookedUp = view(
  { stored: readable, one: baseline.lookup, items: baseline['input-items'] },
  ({ stored, one, items }) => ({ ...stored, lookup: one.baseline, inputItems: items.baseline }),
);
