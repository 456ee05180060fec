import {
  type CallOptions,
  type Exchange,
  type Io,
  scenario,
  turnsOf,
} from '../../../harness/index.ts';
import { costOf, sendInForms } from '../requests/request-forms.ts';
import { interruptedTurn } from '../running/interrupted-streams.ts';

/**
 * A turn on a new connection, after one was cut in the middle of a turn. An invalid continuation of it follows, with
 * the output of a call that was never made, and a valid one.
 */
export const afterInterruptedTurn = scenario(
  'websocket/connection/after-interrupted-turn',
  {
    after: { interrupted: interruptedTurn },
    cost: { ...costOf(['lower-case'], { requests: 1, generations: 1 }), refused: 6 },
  },
  async (io, { interrupted: { control, seen } }) => {
    const talks: Exchange[] = [];
    const { clients, answer } = await sendInForms(io, ['lower-case'], async (as) => {
      const talk = await failedOnce(io, as);
      talks.push(talk);
      return turnsOf(talk)[0] ?? talk;
    });
    return { control, seen, next: answer, talk: talks.at(-1) ?? answer, clients };
  },
);

async function failedOnce({ responses, word }: Io, as: CallOptions): Promise<Exchange> {
  const session = await responses.connect(as);
  const { responseId } = await responses.turn(session);
  if (responseId !== null) {
    const output = { type: 'function_call_output', call_id: `call_${word()}`, output: '1' };
    await responses.turn(session, { input: [output], previous_response_id: responseId });
    await responses.turn(session, { previous_response_id: responseId });
  }
  return session.exchange();
}
