import {
  type Exchange,
  type Fields,
  type Io,
  idOf,
  isRefused,
  NothingToJudge,
  scenario,
  view,
} from '../../../harness/index.ts';
import { readable } from '../baselines.ts';
import { lastOf, pollsAnd, pollToTheEnd } from '../running/background-runs.ts';
import { type Spoken, saying, spoken } from './whole-conversations.ts';

// All that can be said in a request, over Responses, where it is asked for neither in one body nor as a
// stream. What a channel takes depends on its model: another than the one that took it in one body may refuse it.

/** An answer to all of it. */
export interface Told {
  readonly answer: Exchange;
  readonly spoken: Spoken;
  readonly model: string;
}

const toldOverWebsocket = scenario(
  'generations/whole/websocket',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { spoken: spoken.responses },
    cost: { requests: 1, generations: 1 },
  },
  async (io, { spoken }): Promise<Told> => {
    const session = await io.responses.connect();
    await io.responses.turn(session, all(io, spoken));
    return { answer: await session.exchange(), spoken, model: io.model.id };
  },
);

const toldInBackground = scenario(
  'generations/whole/background',
  {
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    after: { spoken: spoken.responses },
    cost: (target) => ({ ...pollsAnd(1)(target), generations: 1 }),
  },
  async (io, { spoken }) => {
    const body = { ...all(io, spoken), store: true, background: true };
    const created = await io.responses.create(body);
    const lookups = isRefused(created) ? [] : await pollToTheEnd(io, idOf(created));
    return { created, lookups, spoken, model: io.model.id };
  },
);

/** It goes on from a short response. */
const toldInContinuation = scenario(
  'generations/whole/continuation',
  {
    after: { spoken: spoken.responses, first: readable },
    cost: { requests: 1, generations: 1, continues: 1 },
  },
  async (io, { spoken, first: { id, created: short } }): Promise<Told> => ({
    answer: await io.responses.create({ ...all(io, spoken), previous_response_id: id }),
    // It reads that one, too.
    spoken: { ...spoken, short },
    model: io.model.id,
  }),
);

export const toldOverResponses = {
  websocket: view({ toldOverWebsocket }, ({ toldOverWebsocket: told }) => served(told)),
  background: view({ toldInBackground }, ({ toldInBackground: told }) => ({
    ...served({ ...told, answer: told.created }),
    answer: lastOf(told.lookups),
  })),
  continuation: view({ toldInContinuation }, ({ toldInContinuation: told }) => served(told)),
};

function all(io: Pick<Io, 'longTexts' | 'sentence'>, spoken: Spoken): Fields {
  return saying(io.longTexts, 'responses', spoken, io.sentence());
}

function served(told: Told): Told {
  if (isRefused(told.answer)) throw new NothingToJudge('what one body may say is refused here');
  return told;
}
