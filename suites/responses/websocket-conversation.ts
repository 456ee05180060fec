import { type Exchange, Inconclusive, type Io, scenario, turnsOf } from '../../harness/index.ts';
import { ownInput } from '../ordinary.ts';

/** Where the latest turn of a connection was tried to be continued while that connection was open. */
interface Elsewhere {
  readonly otherConnection: Exchange;
  readonly http: Exchange;
  /** The control of the latter: a stored turn of the same connection, continued over HTTP. */
  readonly storedOverHttp: Exchange | null;
}

/**
 * One connection with four turns of the same input: one that is stored, and then a chain of three that
 * is not. Before it closes, the end of the chain is tried to be continued elsewhere.
 */
export const conversation = scenario(
  'responses/websocket/conversation',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    cost: { requests: 4, generations: 7, chain: 6 },
  },
  async (io) => {
    const { responses } = io;
    const { secret, input } = ownInput(io);
    const session = await responses.connect();
    const stored = await responses.turn(session, { input, store: true });
    let latest = (await responses.turn(session, { input })).responseId;
    for (let turn = 2; turn <= 3 && latest !== null; turn++) {
      const next = await responses.turn(session, { input, previous_response_id: latest });
      latest = next.responseId;
    }
    const elsewhere =
      latest === null ? null : await continuedElsewhere(io, input, latest, stored.responseId);
    const talk = await session.exchange();
    return { talk, input, secret, storedId: stored.responseId, latest, elsewhere };
  },
);

async function continuedElsewhere(
  io: Io,
  input: string,
  latest: string,
  stored: string | null,
): Promise<Elsewhere> {
  const [other, http, control] = [io.lane('other'), io.lane('http'), io.lane('control')];
  const [otherConnection, overHttp, storedOverHttp] = await Promise.all([
    firstTurn(other, { input, previous_response_id: latest }),
    http.responses.create({ input, previous_response_id: latest }),
    stored === null ? null : control.responses.create({ input, previous_response_id: stored }),
  ]);
  return { otherConnection, http: overHttp, storedOverHttp };
}

/** A connection of one turn. */
async function firstTurn(
  { responses }: Io,
  body: Readonly<Record<string, unknown>>,
): Promise<Exchange> {
  const session = await responses.connect();
  await responses.turn(session, body);
  return session.exchange();
}

/** The stored turn of the conversation, looked up over HTTP. */
export const storedTurn = scenario(
  'responses/websocket/stored-turn',
  { after: { conversation }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { conversation: { talk, storedId } }) => {
    if (storedId === null) throw new Inconclusive('the stored turn named no response', talk);
    return { turn: turnOf(talk, 0), lookup: await responses.lookup(storedId) };
  },
);

/** After the conversation has closed: its latest turn, continued on a new connection. */
export const reconnected = scenario(
  'responses/websocket/reconnected',
  { after: { conversation }, cost: { requests: 1, generations: 1 } },
  async (io, { conversation: { talk, latest, input } }) => {
    if (latest === null) throw new Inconclusive('there was no turn to be continued', talk);
    return { talk, again: await firstTurn(io, { input, previous_response_id: latest }) };
  },
);

/**
 * One turn of a conversation, as an exchange.
 *
 * @throws {Inconclusive} when the conversation did not come so far
 */
export function turnOf(talk: Exchange, turn: number): Exchange {
  const found = talk.socket === null ? undefined : turnsOf(talk)[turn];
  if (found !== undefined) return found;
  throw new Inconclusive(`the conversation had no turn ${turn + 1}`, talk);
}
