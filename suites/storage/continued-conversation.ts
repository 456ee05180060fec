import {
  type Exchange,
  each,
  type Io,
  idOf,
  isRefused,
  type StoredOperation,
  scenario,
} from '../../harness/index.ts';
import { lastInput } from '../scenarios/growing-input.ts';
import { conversationInput } from '../scenarios/item-input.ts';

/** In which way a stored conversation goes on. */
export type ContinuedAs = 'one-body' | 'stream' | 'websocket';

const ways: Readonly<
  Record<
    ContinuedAs,
    {
      readonly supports: StoredOperation['needs'];
      next(io: Io, body: { readonly previous_response_id: string }): Promise<Exchange>;
    }
  >
> = {
  'one-body': {
    supports: [],
    next: ({ responses }, body) => responses.create({ ...body, input: lastInput }),
  },
  stream: {
    supports: ['stream:responses'],
    next: ({ responses }, body) => responses.stream({ ...body, input: lastInput }),
  },
  websocket: {
    supports: ['websocket'],
    async next({ responses }, body) {
      const session = await responses.connect();
      await responses.turn(session, { ...body, input: lastInput });
      return session.exchange();
    },
  },
};

/** The stored conversation of long items, and a short turn that goes on with it. */
export const continuedConversation = each(Object.keys(ways) as ContinuedAs[], (as) =>
  scenario(
    `responses/continued-conversation/${as}`,
    {
      needs: { model: { speaks: 'responses', supports: ways[as].supports } },
      after: { conversation: conversationInput },
      cost: { requests: 1, generations: 1 },
    },
    async (io, { conversation: { created: first } }) => {
      const model = io.model.id;
      // No source says that a list of items has to be accepted.
      if (isRefused(first)) return { first, next: null, model };
      return { first, next: await ways[as].next(io, { previous_response_id: idOf(first) }), model };
    },
  ),
);
