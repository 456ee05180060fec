import { scenario } from '../../../harness/index.ts';
import { limitOf, readable } from '../baselines.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';

/** A compact call that continues a stored response. */
export const compactedOn = scenario(
  'metering/compact-continued',
  {
    needs: { model: { speaks: 'responses', supports: ['compact'] } },
    after: { first: readable },
    cost: {
      ...costOf(clientForms.first, { requests: 1, generations: 1 }),
      continues: 1 + clientForms.first.length,
      ...limitOf('compact'),
    },
  },
  (io, { first: { id } }) => {
    const body = { input: io.sentence(), previous_response_id: id };
    return sendInForms(io, clientForms.first, (as) => io.responses.compact(body, as));
  },
);
