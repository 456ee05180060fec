import {
  answerOf,
  asksForResponse,
  assumeServed,
  check,
  contentOf,
  type Exchange,
  ExpectationFailed,
  endsTurn,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  idOf,
  isRefused,
  isServed,
  json,
  lostBecause,
  NothingToJudge,
  outcome,
  scenario,
  textOfItem,
  turnsOf,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { unknownModel } from '../scenarios/requests/models.ts';
import { continued, continuedOverWebsocket } from '../scenarios/stored/served-operations.ts';
import { expectGrowth } from '../scenarios/token-counts.ts';
import {
  conversation,
  isAnswered,
  isSilent as isSilentOverlap,
  overlapping,
  reconnected,
  storedTurn,
  turnOf,
} from '../scenarios/websocket/conversation.ts';

check('websocket/connection.turn-served', baseline.websocket, ({ baseline }) => {
  expect(baseline).toBeServed();
});

everywhere(
  'websocket/connection.event-grammar',
  { least: conversation, which: ({ socket }) => socket !== null, turns: true },
  (turn) => {
    if (!asksForResponse(turn)) throw new NothingToJudge('it asked for no response');
    if (turn.socket?.close?.by !== 'gateway' && !isEnded(turn)) {
      throw new NothingToJudge('we left before its end');
    }
    // Other checks judge if a close without an event refuses the turn, its code, and if it is allowed.
    if (turn.socket?.close?.by === 'gateway' && !isAnswered(turn)) {
      throw new NothingToJudge('it was closed without an event');
    }
    expect(turn).toFollow('event-grammar');
  },
);

function isEnded(turn: Exchange): boolean {
  return answerOf(turn).events.some(({ json: event }) => endsTurn(json.text(event, 'type') ?? ''));
}

check('websocket/connection.stored-is-stored', storedTurn, ({ talk, turn, lookup: shown }) => {
  // Served turns without storage show that only storage is refused.
  assumeServed(turnOf(talk, 1));
  expect(turn).toBeServed();
  const lookup = present(shown, `lookup of ${idOf(turn)}`);
  expect(lookup).toBeServed();
  expectValue(finishedText(lookup), { as: 'text of the stored turn', of: lookup }).toEqual(
    finishedText(turn),
  );
});

/** Returns the text of the finished message items, regardless of the events before them. */
function finishedText(exchange: Exchange): string {
  return contentOf(exchange).items.map(textOfItem).join('');
}

check('websocket/connection.sequential-turns', conversation, ({ talk }) => {
  assumeServed(turnOf(talk, 0));
  const second = turnsOf(talk)[1];
  if (second === undefined) {
    const lost = lostBecause(talk);
    if (lost !== '') throw new Inconclusive(`there was no second turn${lost}`, talk);
    throw new ExpectationFailed('a connection that stays open for a turn', outcome(talk), talk);
  }
  expect(second).toBeServed();
});

check('websocket/connection.ping-answered', conversation, ({ talk }) => {
  assumeServed(turnOf(talk, 0));
  const ponged = talk.socket?.ponged;
  if (ponged === undefined) {
    throw new Inconclusive(`the connection ended before the ping${lostBecause(talk)}`, talk);
  }
  expectValue(ponged, { as: 'whether a ping got its pong', of: talk }).toEqual(true);
});

check('websocket/connection.history-in-connection', conversation, ({ talk }) => {
  assumeServed(turnOf(talk, 1));
  expect(turnOf(talk, 2)).toBeServed();
});

check('websocket/connection.history-carried', conversation, ({ talk }) => {
  const chain = [1, 2, 3].map((turn) => turnOf(talk, turn));
  assumeServed(chain);
  expectGrowth(chain, 'the chain');
});

const elsewhere = 'websocket/connection.history-ends-with-connection';

check(`${elsewhere}:other-connection`, conversation, ({ talk, elsewhere }) => {
  const { otherConnection } = tried(elsewhere, talk);
  expect(otherConnection).toBeRefused({ control: turnOf(talk, 3) });
});

/** @throws {Inconclusive} if there was no response for the attempt */
function tried<T>(attempt: T | null, talk: Exchange): T {
  if (attempt !== null) return attempt;
  throw new Inconclusive(`a turn of the conversation named no response${lostBecause(talk)}`, talk);
}

check(`${elsewhere}:reconnect`, reconnected, ({ talk, again }) => {
  expect(again).toBeRefused({ control: turnOf(talk, 3) });
});

check(
  `${elsewhere}:http`,
  { conversation, continued },
  ({ conversation: { talk, elsewhere }, continued: { second } }) => {
    const { http } = tried(elsewhere, talk);
    expect(http).toBeRefused({ control: [turnOf(talk, 3), second] });
  },
);

check(
  'websocket/connection.refusals-answered',
  { served: baseline.websocket, model: present(unknownModel.websocket, 'websocket'), reconnected },
  ({ served, model, reconnected: { again } }) => {
    assumeServed(served.baseline);
    const refused = [...model.attempts, again];
    // A single answer may be lost, but not all of them.
    const [first] = refused;
    if (first === undefined || !refused.every(isSilent)) return;
    const expected = 'an error frame or a close in answer to a turn that cannot be served';
    throw new ExpectationFailed(expected, 'silence, each time', first);
  },
);

/** True if the connection was open, but no frame arrived before the timeout. */
function isSilent(turn: Exchange): boolean {
  return turn.socket !== null && turn.failure?.kind === 'timeout' && !isAnswered(turn);
}

check('websocket/connection.no-interleaving', overlapping, ({ talk, ends, again }) => {
  // A single answer may be lost, but not that of the second turn each time.
  if (again.length === 2 && [{ talk, ends }, ...again].every(isSilentOverlap)) {
    const expected = 'a turn or an error frame for each of both frames';
    throw new ExpectationFailed(
      expected,
      'silence behind the first turn, each of three times',
      talk,
    );
  }
  expect(talk).toFollow('no-interleaving');
  if (ends.every((type) => type === 'error')) {
    throw new Inconclusive(`neither turn was served: ${outcome(talk)}`, talk);
  }
  if (ends.length === 2) return;
  const lost = lostBecause(talk);
  if (lost !== '') throw new Inconclusive(`the second turn had no answer${lost}`, talk);
  throw new ExpectationFailed(
    'a turn or an error frame for each of both frames',
    outcome(talk),
    talk,
  );
});

/** Frames that are not messages of the protocol: truncated JSON, an unknown type, bytes. */
const badFrames = [
  '{"type": "response.create", "input": "',
  { type: 'session.unknown' },
  new Uint8Array([0, 1, 2, 0xff]),
];

/**
 * Bad frames, followed immediately by a good turn, because a bad frame need not get an answer. The good turn is
 * retried if it was too early, on a new connection if the gateway has closed.
 */
const badFramesSent = scenario(
  'websocket/connection/bad-frames',
  {
    hostile: 'input',
    after: { baseline: baseline.websocket },
    cost: {
      ...{ requests: 6, generations: 1, fallback: 8, refused: 3 * badFrames.length },
      outputTokens: null,
    },
  },
  async (io, { baseline: { baseline: control } }) => {
    const tries = [await behindBadFrames(io)];
    // Silence may be temporary, and the gateway may restart by chance.
    while (tries.every((one) => isSilent(one) || one.failure?.kind === 'ended') && tries.length < 3)
      tries.push(await behindBadFrames(io));
    return { control, tries };
  },
);

/** Returns the answer to a good turn that follows bad frames. */
async function behindBadFrames(io: Io): Promise<Exchange> {
  const { responses } = io;
  const session = await responses.connect();
  for (const bad of badFrames) session.send(bad);
  session.send(responses.frame());
  let errors = 0;
  let ended = false;
  await session.receive(({ json: event }) => {
    const type = json.text(event, 'type');
    if (type === 'error') errors++;
    else ended = endsTurn(type);
    return ended || errors > badFrames.length;
  });
  if (!ended) await responses.turn(session);
  const talk = await session.exchange();
  const closed = talk.socket?.close?.by === 'gateway' || talk.failure?.kind === 'reset';
  const again = closed && !ended ? await io.ask('websocket') : null;
  return again ?? turnsOf(talk).at(-1) ?? talk;
}

check('websocket/connection.bad-frame-survived', badFramesSent, ({ control, tries }) => {
  assumeServed(control);
  const [first] = tries;
  if (first !== undefined && tries.length === 3 && tries.every(isSilent)) {
    throw new ExpectationFailed('a turn behind bad frames', 'silence, each of three times', first);
  }
  for (const next of tries.slice(-1)) expect(next).toBeServed();
});

check(
  'websocket/connection.broken-turn-survived',
  continuedOverWebsocket,
  ({ control, seen, next }) => {
    assumeServed([control, seen]);
    expect(next).toBeServed();
  },
);

check(
  'websocket/connection.failed-continuation-evicted',
  { conversation, continuedOverWebsocket },
  ({ conversation: { talk: control }, continuedOverWebsocket: { next, talk } }) => {
    assumeServed([turnOf(control, 2), next]);
    const failed = turnOf(talk, 1);
    if (isServed(failed)) {
      throw new NothingToJudge('the output of a call that was never made was accepted');
    }
    if (!isRefused(failed)) {
      throw new Inconclusive(`the continuation was not refused: ${outcome(failed)}`, failed);
    }
    const again = turnsOf(talk)[2];
    if (again === undefined) throw new NothingToJudge('the gateway closed after the failure');
    expect(again).toBeRefused();
  },
);

/** Sends `GET /v1/responses` without an upgrade. */
const plainGet = scenario(
  'websocket/connection/plain-get',
  { after: { baseline: baseline.websocket }, cost: { requests: 1, generations: 0 } },
  async (
    { raw },
    { baseline: { baseline: control } },
  ): Promise<Record<'control' | 'plain', Exchange>> => ({
    control,
    plain: await raw.send({ operation: 'responses.plain-get', method: 'GET' }),
  }),
);

check('websocket/connection.plain-get-refused', plainGet, ({ control, plain }) => {
  expect(plain).toBeRefused({ control });
});
