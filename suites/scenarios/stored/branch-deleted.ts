import { idOf, scenario } from '../../../harness/index.ts';
import { clientForms, costOf, sendInForms } from '../requests/client-forms.ts';
import { branched } from './chain.ts';
import { served } from './served-operations.ts';

/** Deletes a branch of a chain, and looks up the turn that it continued. */
export const branchDeleted = scenario(
  'storage/branch-deleted',
  {
    after: { branched, found: served.lookup },
    cost: costOf(clientForms.withoutBody, { requests: 2, generations: 0 }),
  },
  async (io, { branched: { second, branch }, found }) => {
    const id = idOf(branch);
    const { clients, answer: deletion } = await sendInForms(io, clientForms.withoutBody, (as) =>
      io.responses.delete(id, as),
    );
    const parent = await io.responses.lookup(idOf(second));
    return { id, deletion, clients, parent, controls: [second, found.served] };
  },
);
