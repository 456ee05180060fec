import {
  type ClientScenario,
  type ClientSession,
  clientCheckEach,
  ExpectationFailed,
  generationsSent,
  headerOf,
  Inconclusive,
  NothingToJudge,
} from '../../harness/index.ts';
import { met } from './scenarios.ts';

/** What leaves a client uncertain whether its request was executed. */
const uncertain = {
  reset: met('reset', { kind: 'reset' }),
  'no-answer': met('no-answer', { kind: 'no-answer' }),
  'cut-body': met('cut-body', { kind: 'cut-body' }),
  'cut-stream': met('cut-stream', { kind: 'cut-stream', events: 4 }, { stream: true }),
  stall: met('stall', { kind: 'stall', events: 4 }, { stream: true }),
} as const satisfies Record<string, ClientScenario<ClientSession>>;

clientCheckEach('client/retries.none-when-uncertain', (value) => ({
  on: uncertain[value],
  judge: expectOneGeneration,
}));

function expectOneGeneration(session: ClientSession): void {
  const sent = generationsSent(session);
  const [first, second] = sent;
  if (first === undefined) {
    throw new Inconclusive(`in ${session.key} the client sent no generation`);
  }
  if (!session.met) {
    throw new NothingToJudge(
      session.stream
        ? 'the client did not ask for a stream'
        : 'the client asked for a stream where a whole body was to be cut',
    );
  }
  if (second === undefined) return;
  const key = headerOf(second.exchange, 'idempotency-key');
  const named =
    key === null ? '' : `; it names an Idempotency-Key, which the interface does not know`;
  throw new ExpectationFailed(
    'one generation, since nobody knows whether it was executed',
    `${sent.length} generations with the word ${session.word}, the second ${Math.round(second.at - first.at)} ms after the first${named}`,
    second.exchange,
  );
}
