import {
  type Exchange,
  type Fields,
  type Io,
  idOf,
  isRefused,
  isServed,
  NothingToJudge,
  scenario,
  view,
} from '../../../harness/index.ts';
import { baseline, readable } from '../baselines.ts';
import { lastOf, pollsAnd, pollToTheEnd } from '../stored/stored-responses.ts';
import { overlapping, turnOf } from '../websocket/conversation.ts';
import { type Spoken, saying, spoken } from './conversations.ts';

// Requests to Responses with every part of a conversation, other than in one JSON body or as a stream. Scenarios
// with another purpose send them, so they cost no extra request. A channel's support depends on the model: a model
// other than the one that accepted a part may refuse it.

/** An answer to a request with every part. */
export interface Told {
  readonly answer: Exchange;
  readonly spoken: Spoken;
  readonly model: string;
}

interface LookedUp {
  readonly lookup: Exchange;
  /** Lookup of another response. */
  readonly control: Exchange;
}

/** Background response. The request omits `store` if the gateway accepts that. */
export const toldInBackground = scenario(
  'background/store-omitted',
  {
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    after: { spoken: spoken.responses },
    cost: (target) => ({ ...pollsAnd(2)(target), generations: 1, fallback: 1 }),
  },
  async (io, { spoken }) => {
    const body = { ...all(io, spoken), background: true };
    const unsaid = await io.responses.create({ ...body, store: undefined });
    const created = isRefused(unsaid)
      ? await io.responses.create({ ...body, store: true })
      : unsaid;
    const lookups = isRefused(created) ? [] : await pollToTheEnd(io, idOf(created));
    return { unsaid, created, lookups, spoken, model: io.model.id };
  },
);

/** Continuation of a short response. The request omits `store`, and the new response is looked up. */
export const toldInContinuation = scenario(
  'storage/store-omitted',
  {
    needs: { model: { speaks: 'responses' } },
    after: { control: baseline.lookup, first: readable, spoken: spoken.responses },
    cost: { requests: 3, generations: 1, fallback: 1, continues: 1 },
  },
  async (io, { control, first: { id, created: short }, spoken }): Promise<Told & LookedUp> => {
    const { responses } = io;
    // Clients add metadata to find a response again. The interface does not define it, so a gateway may refuse it.
    const more = { ...all(io, spoken), previous_response_id: id, metadata: { topic: io.word() } };
    const answer = await responses.create({ ...more, store: undefined });
    const created = isRefused(answer) ? await responses.create({ store: undefined }) : answer;
    return {
      answer,
      lookup: await responses.lookup(idOf(created)),
      control: control.baseline,
      // The continuation reads its previous response, too.
      spoken: { ...spoken, short },
      model: io.model.id,
    };
  },
);

export const toldOverResponses = {
  websocket: view({ overlapping }, ({ overlapping: { talk, ends, spoken, model } }) => {
    // The error need not show which of the two turns it refuses.
    if (ends.includes('error')) throw new NothingToJudge('one of both turns was refused');
    return served({ answer: turnOf(talk, 1), spoken, model });
  }),
  background: view({ toldInBackground }, ({ toldInBackground: told }) => {
    const answer = served({ ...told, answer: told.created });
    if (!told.lookups.some((lookup) => isServed(lookup))) {
      throw new NothingToJudge('no lookup of it was served');
    }
    return { ...answer, answer: lastOf(told.lookups) };
  }),
  continuation: view({ toldInContinuation }, ({ toldInContinuation: told }) => served(told)),
};

function all(io: Pick<Io, 'longTexts' | 'sentence'>, spoken: Spoken): Fields {
  return saying(io.longTexts, 'responses', spoken, io.sentence());
}

function served(told: Told): Told {
  if (isRefused(told.answer)) throw new NothingToJudge('what one body may say is refused here');
  return told;
}
