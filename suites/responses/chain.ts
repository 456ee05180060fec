import { idOf, scenario } from '../../harness/index.ts';
import { wordsBeyond } from '../generation/cut-short.ts';
import { continued } from '../served-operations.ts';

/**
 * A third turn, which asks in few words for more than its limit. It is stored, so that it can be deleted:
 * nobody else reads it.
 */
export const chain = scenario(
  'responses/chain-of-three',
  { after: { two: continued }, cost: { requests: 1, generations: 1 } },
  async ({ responses, target }, { two: { first, second } }) => {
    const limit = target.limits.maxOutputTokens;
    const last = await responses.create({
      previous_response_id: idOf(second),
      input: `${wordsBeyond(limit)}.`,
      max_output_tokens: limit,
      store: true,
    });
    return { turns: [first.created, second, last], last, limit };
  },
);
