import { idOf, isRefused, scenario, view } from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';
import { called } from '../scenarios/generations/tool-calls.ts';

/** The stored response: its creation, its lookup, and its input items. */
export const lookedUp = view(
  { stored: readable, one: baseline.lookup, items: baseline['input-items'] },
  ({ stored, one, items }) => ({ ...stored, lookup: one.baseline, inputItems: items.baseline }),
);

/** Lookup of a stored response that ends in a call. */
export const callLookedUp = scenario(
  'storage/responses/call-looked-up',
  { after: { call: called.responses }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { call: { called: created } }) => ({
    created,
    // A model that should call a function may be refused.
    lookup: isRefused(created) ? null : await responses.lookup(idOf(created)),
  }),
);
