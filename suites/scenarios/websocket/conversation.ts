import {
  contentOf,
  type Exchange,
  endsTurn,
  Inconclusive,
  type Io,
  idOf,
  json,
  lostBecause,
  scenario,
  turnsOf,
} from '../../../harness/index.ts';
import { lookupControl, ownInput } from '../baselines.ts';
import { namesModel } from '../exchanges.ts';
import { type Spoken, saying, spoken } from '../generations/conversations.ts';
import {
  askingBeyond,
  inventedModel,
  shortTurn,
  speakers,
} from '../generations/generation-calls.ts';

/** Attempts to continue a connection's latest turn elsewhere while the connection was open. */
interface Elsewhere {
  readonly otherConnection: Exchange;
  readonly http: Exchange;
}

/**
 * One connection with four turns: a stored turn that its limit truncates, then a chain of three turns that are not
 * stored, the first of which asks for more than its limit, too. Before the connection closes, the scenario tries to continue the end of the chain elsewhere.
 */
export const conversation = scenario(
  'websocket/conversation',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    // Both continuations elsewhere have to be refused.
    cost: { requests: 3, generations: 4, refused: 2, chain: 6 },
  },
  async (io) => {
    const { responses } = io;
    const session = await responses.connect();
    const limit = io.target.limits.maxOutputTokens;
    await responses.turn(session, {
      input: askingBeyond(limit, io),
      max_output_tokens: limit,
      store: true,
    });
    let latest = (await responses.turn(session, { input: askingBeyond(limit, io) })).responseId;
    for (let turn = 2; turn <= 3 && latest !== null; turn++) {
      const said = turn === 3 ? { input: shortTurn } : {};
      const next = await responses.turn(session, { ...said, previous_response_id: latest });
      latest = next.responseId;
    }
    const elsewhere = latest === null ? null : await continuedElsewhere(io, latest);
    await session.ping();
    const talk = await session.exchange();
    return { talk, elsewhere, limit };
  },
);

async function continuedElsewhere(io: Io, latest: string): Promise<Elsewhere> {
  const [otherConnection, http] = await Promise.all([
    firstTurn(io.lane('other'), latest),
    io.lane('http').responses.create({ previous_response_id: latest }),
  ]);
  return { otherConnection, http };
}

/** Opens a connection with one turn, which continues another. */
async function firstTurn({ responses }: Io, previous: string): Promise<Exchange> {
  const session = await responses.connect();
  await responses.turn(session, { previous_response_id: previous });
  return session.exchange();
}

/** Lookup over HTTP of the conversation's stored turn. */
export const storedTurn = scenario(
  'websocket/stored-turn',
  { after: { conversation }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { conversation: { talk } }) => {
    const turn = turnOf(talk, 0);
    const id = contentOf(turn).id;
    // A refused stored turn is judged, too.
    return { talk, turn, lookup: id === null ? null : await responses.lookup(id) };
  },
);

/** Continues the latest turn of the closed conversation on a new connection. */
export const reconnected = scenario(
  'websocket/reconnected',
  { after: { conversation }, cost: { requests: 1, generations: 0, refused: 1 } },
  async (io, { conversation: { talk } }) => ({
    talk,
    again: await firstTurn(io, idOf(turnOf(talk, 3))),
  }),
);

/**
 * Turns behind a good one: one continues its response, which has been deleted, and others name a model that does not
 * answer there. Where the gateway has closed by then, these follow a good turn of another connection.
 */
export const refusedTurns = scenario(
  'websocket/refused-turns',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { lookupControl },
    cost: { requests: 3, generations: 1, fallback: 1, refused: 4, continues: 1, chain: 8 },
  },
  async (io) => {
    const { responses, lane, target } = io;
    const { input, secret } = ownInput(io);
    let session = await responses.connect();
    let { responseId: id, ended } = await responses.turn(session, { input, store: true });
    const deletion = id === null ? null : await lane('delete').responses.delete(id);
    if (id === null) ended = null;
    else ({ ended } = await responses.turn(session, { previous_response_id: id }));
    const talks: Exchange[] = [];
    if (ended === null) {
      talks.push(await session.exchange());
      session = await responses.connect();
      ({ ended } = await responses.turn(session));
    }
    const lacking = speakers(target, 'responses').find(({ lacks }) => lacks.includes('websocket'));
    const models = {
      undeclared: target.models.find(({ protocols }) => !protocols.includes('responses'))?.id,
      'unknown-model': inventedModel(io),
      'lacking-model': lacking?.id,
    };
    for (const model of Object.values(models)) {
      if (ended === null || model === undefined) continue;
      ({ ended } = await responses.turn(session, { model }));
    }
    const last = await session.exchange();
    const [made = last, there] = turnsOf(talks[0] ?? last);
    const [good = last, ...behind] = turnsOf(last);
    const naming = (model: string) => behind.find((turn) => namesModel(turn, model)) ?? null;
    return {
      ...{ id, secret, made, deletion, good, models, naming },
      there: there !== undefined && isAnswered(there) ? there : null,
    };
  },
);

/**
 * Returns one turn of a conversation as an exchange.
 *
 * @throws {Inconclusive} if the conversation ended before that turn
 */
export function turnOf(talk: Exchange, turn: number): Exchange {
  const found = turnsOf(talk)[turn];
  if (found !== undefined) return found;
  throw new Inconclusive(`the conversation had no turn ${turn + 1}${lostBecause(talk)}`, talk);
}

/** True if any frame answered a turn before the connection was closed or the time ran out. */
export function isAnswered({ socket }: Exchange): boolean {
  return socket?.frames.some(({ from }) => from === 'gateway') === true;
}

/**
 * A second `response.create` sent immediately after a first one with every part of a conversation, and the end of
 * each turn. If only the first ended before the timeout, two more connections repeat the attempt.
 */
export const overlapping = scenario(
  'websocket/connection/overlapping',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { spoken: spoken.responses },
    cost: { requests: 3, generations: 2, fallback: 4, outputTokens: 64 },
  },
  async (io, { spoken }) => {
    const first = await overlapped(io, spoken);
    const again: Overlapped[] = [];
    while (isSilent(first) && again.length < 2) again.push(await overlapped(io, spoken));
    return { ...first, again, spoken, model: io.model.id };
  },
);

interface Overlapped {
  readonly talk: Exchange;
  readonly ends: readonly string[];
}

async function overlapped(
  { longTexts, responses, text, word }: Io,
  spoken: Spoken,
): Promise<Overlapped> {
  const session = await responses.connect();
  const ends: string[] = [];
  const inputs = [text(40, word()), text(40, word())] as const;
  const second = saying(longTexts, 'responses', spoken, inputs[1]);
  for (const said of [{ input: inputs[0] }, second]) {
    session.send(responses.frame({ ...said, max_output_tokens: 64 }));
  }
  await session.receive(({ json: event }) => {
    const type = json.text(event, 'type');
    if (type !== null && endsTurn(type)) ends.push(type);
    return ends.length === 2;
  });
  return { talk: await session.exchange(), ends };
}

/** True if one turn ended, and the other got no answer before the timeout. */
export function isSilent({ talk, ends }: Overlapped): boolean {
  return talk.failure?.kind === 'timeout' && ends.length === 1;
}
