import { type Exchange, Inconclusive, scenario, turnsOf } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { brokenTurn } from '../scenarios/broken-streams.ts';
import { turnEnds, typeOf } from '../scenarios/frames.ts';
import { conversation } from '../scenarios/websocket-conversation.ts';

/** A second `response.create` sent right behind a first one, and how both ended. */
export const overlapping = scenario(
  'websocket/connection/overlapping',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    cost: { requests: 1, generations: 2, outputTokens: 64 },
  },
  async ({ responses, word }) => {
    const session = await responses.connect();
    const ends: string[] = [];
    for (const name of [word(), word()]) {
      const input = `Write 40 words about the name ${name}.`;
      session.send(responses.frame({ input, max_output_tokens: 64 }));
    }
    await session.receive(({ json }) => {
      if (turnEnds.test(typeOf(json))) ends.push(typeOf(json));
      return ends.length === 2;
    });
    return { talk: await session.exchange(), ends };
  },
);

/** What is no message of the protocol: cut JSON, a type that nobody knows, bytes. */
const badFrames = [
  '{"type": "response.create", "input": "',
  { type: 'touchstone.unknown' },
  new Uint8Array([0, 1, 2, 0xff]),
];

/**
 * Bad frames, and a good turn right behind them: what a bad frame gets need not be an answer. The good
 * turn is taken once more where it came too soon, on a new connection where the gateway has closed.
 */
export const badFramesSent = scenario(
  'websocket/connection/bad-frames',
  { after: { baseline: baseline.websocket }, cost: { requests: 2, generations: 3 } },
  async (io, { baseline: { baseline: control } }) => {
    const { responses } = io;
    const session = await responses.connect();
    for (const bad of badFrames) session.send(bad);
    session.send(responses.frame());
    let errors = 0;
    let ended = false;
    await session.receive(({ json }) => {
      const type = typeOf(json);
      if (type === 'error') errors++;
      else ended = turnEnds.test(type);
      return ended || errors > badFrames.length;
    });
    if (!ended) await responses.turn(session);
    const talk = await session.exchange();
    const closed = talk.socket?.close?.by === 'gateway' || talk.failure?.kind === 'reset';
    const again = closed && !ended ? await io.ask('websocket') : null;
    return { control, next: again ?? turnsOf(talk).at(-1) ?? talk };
  },
);

/**
 * A turn, a continuation of it that has to fail (it brings the output of a call that was never made),
 * and a good continuation of it.
 */
export const failedContinuation = scenario(
  'websocket/connection/failed-continuation',
  { after: { conversation }, cost: { requests: 1, generations: 3 } },
  async (io, { conversation: { talk: control } }) => {
    const { responses } = io;
    const session = await responses.connect();
    const { responseId } = await responses.turn(session);
    if (responseId === null) {
      throw new Inconclusive('there was no turn to be continued', await session.exchange());
    }
    const output = { type: 'function_call_output', call_id: `call_${io.word()}`, output: '1' };
    await responses.turn(session, { input: [output], previous_response_id: responseId });
    await responses.turn(session, { previous_response_id: responseId });
    return { control, talk: await session.exchange() };
  },
);

/** A turn on a new connection, after one was broken in the middle of a turn. */
export const afterBrokenTurn = scenario(
  'websocket/connection/after-broken-turn',
  { after: { broken: brokenTurn }, cost: { requests: 1, generations: 1 } },
  async (io, { broken: { control, seen } }) => ({
    control,
    seen,
    next: await io.ask('websocket'),
  }),
);

/** `GET /v1/responses` without an upgrade. */
export const plainGet = scenario(
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
