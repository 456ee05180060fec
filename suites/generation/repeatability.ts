import { type Exchange, each, scenario } from '../../harness/index.ts';
import { baselineStream, streamLimit } from '../scenarios/baseline-streams.ts';
import { type Conversing, conversing } from '../scenarios/conversations.ts';
import { generation } from '../scenarios/generation-calls.ts';

/** A stream, and what the model says to the same input without one. */
interface Repeated {
  readonly streamed: Exchange;
  /** Null where the model need not say the same again: then it is not asked. */
  readonly unstreamed: Exchange | null;
}

export const repeated = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/told-twice/${protocol}`,
    {
      after: { stream: baselineStream[protocol] },
      cost: (target) => ({ requests: 1, generations: 1, outputTokens: streamLimit(target) }),
    },
    async (io, { stream: { streamed, input } }): Promise<Repeated> => {
      if (!io.model.deterministic) return { streamed, unstreamed: null };
      const { asking, create } = generation[protocol];
      const unstreamed = await create(io, asking(input, streamLimit(io.target)));
      return { streamed, unstreamed };
    },
  ),
);
