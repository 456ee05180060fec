import { idOf, scenario } from '../../harness/index.ts';
import { continued } from '../served-operations.ts';
import { lastInput } from './growing-input.ts';

/** A third turn. It is stored, so that it can be deleted: nobody else reads it. */
export const chain = scenario(
  'responses/chain-of-three',
  { after: { two: continued }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { two: { first, second } }) => {
    const body = { previous_response_id: idOf(second), input: lastInput, store: true };
    const last = await responses.create(body);
    return { turns: [first.created, second, last], last };
  },
);
