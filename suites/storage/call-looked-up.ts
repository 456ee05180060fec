import { idOf, isRefused, scenario } from '../../harness/index.ts';
import { called } from '../scenarios/generations/tool-calls.ts';

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
