import { view } from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';

/** The stored response, as it was created, looked up, and its input listed. */
export const lookedUp = view(
  { stored: readable, one: baseline.lookup, items: baseline['input-items'] },
  ({ stored, one, items }) => ({ ...stored, lookup: one.baseline, inputItems: items.baseline }),
);
