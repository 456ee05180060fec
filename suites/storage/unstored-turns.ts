import {
  type Exchange,
  Inconclusive,
  idOf,
  lostBecause,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { served } from '../scenarios/served-operations.ts';
import { conversation, turnOf } from '../scenarios/websocket-conversation.ts';

/** How a response with `store: false` came to be that no first request over HTTP has made. */
export type UnstoredTurn = 'websocket' | 'continuation';

interface Denied {
  readonly attempts: readonly Exchange[];
  readonly controls: readonly Exchange[];
}

/** Such responses, which the conversation over WebSocket has made anyway, asked for over HTTP. */
export const unstoredTurns: Readonly<Record<UnstoredTurn, Scenario<Denied>>> = {
  // That it cannot be continued over HTTP is a row of its own.
  websocket: scenario(
    'responses/unstored-turn',
    { after: { conversation, control: baseline.lookup }, cost: { requests: 1, generations: 0 } },
    async ({ responses }, { conversation: { talk }, control }) => ({
      attempts: [await responses.lookup(idOf(turnOf(talk, 3)))],
      controls: [control.baseline],
    }),
  ),
  continuation: scenario(
    'responses/unstored-continuation',
    {
      after: { conversation, control: baseline.lookup, continued: served.continue },
      cost: { requests: 2, generations: 0, chain: 1 },
    },
    async ({ responses, lane }, { conversation: { talk, elsewhere }, control, continued }) => {
      const made = elsewhere?.storedOverHttp ?? null;
      if (made === null) {
        throw new Inconclusive(`no stored turn was continued over HTTP${lostBecause(talk)}`, talk);
      }
      const id = idOf(made);
      const attempts = await Promise.all([
        responses.lookup(id),
        lane('continued').responses.create({ previous_response_id: id }),
      ]);
      return { attempts, controls: [control.baseline, continued.served] };
    },
  ),
};
