import { type Exchange, each, scenario } from '../../harness/index.ts';
import { ordinaryStream, streamLimit } from '../ordinary-streams.ts';
import { type Conversing, conversing } from './conversations.ts';
import { generation } from './create-and-stream.ts';

/** A stream, and what the model says to the same input without one. */
interface ToldTwice {
  readonly streamed: Exchange;
  /** Null where the model need not say the same again: then it is not asked. */
  readonly unstreamed: Exchange | null;
}

export const toldTwice = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/told-twice/${protocol}`,
    {
      after: { stream: ordinaryStream[protocol] },
      cost: (target) => ({ requests: 1, generations: 1, outputTokens: streamLimit(target) }),
    },
    async (io, { stream: { streamed, input } }): Promise<ToldTwice> => {
      if (!io.model.deterministic) return { streamed, unstreamed: null };
      const { asking, create } = generation[protocol];
      const unstreamed = await create(io, asking(input, streamLimit(io.target)));
      return { streamed, unstreamed };
    },
  ),
);
