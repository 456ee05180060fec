import {
  type ClientScenario,
  type ClientSession,
  clientScenario,
  generationsIn,
  type Script,
  turnWords,
} from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  contentOf,
  type Exchange,
  ExpectationFailed,
  endsTurn,
  json,
  requestInWords,
  turnsOf,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { endOf, wholeText } from './judged.ts';

// Conversations over a WebSocket: each turn is judged as a start of its own for one prompt.

/** Answers to the second turn of a conversation. */
const failures: readonly NonNullable<Script['answer']>[] = [
  { kind: 'reset' },
  { kind: 'cut-stream', events: 4 },
  { kind: 'stall', events: 4 },
  { kind: 'ends-early', events: 4 },
  { kind: 'error-in-stream', events: 4 },
  { kind: 'failed-in-stream', events: 4 },
];

/** A conversation that is served, one with odd ids, one that is cut between two turns, and those that fail in one. */
export const conversed: ClientScenario<readonly ClientSession[]> = clientScenario(
  'client/conversed',
  { protocols: ['responses'], tasks: true, starts: 3 + failures.length },
  async ({ start }) => {
    const task = 'converse';
    const served = await start({ task });
    if (served.run.answer?.unsupported === true) return [served];
    const scripts: readonly Script[] = [
      { odd: true },
      { answer: { kind: 'hang-up', events: 1_000 } },
      ...failures.map((answer) => ({ answer, skips: 1 })),
    ];
    const others = scripts.map((script) => start({ task, script }));
    return [served, ...(await Promise.all(others))];
  },
);

/** Returns the turns of a conversation, in order of their prompts. Each has the requests for its prompt. */
export function turnsIn(session: ClientSession): readonly ClientSession[] {
  const { word, run, exchanges } = session;
  if (session.task !== 'converse' || run.answer?.unsupported === true) return [];
  const words = turnWords(word);
  const sent = exchanges.flatMap(turnsOf).map((one) => {
    const text = JSON.stringify(requestBody(one));
    return { exchange: byItself(one), number: words.findLastIndex((own) => text.includes(own)) };
  });
  return words.map((own, number) => ({
    ...session,
    task: 'generate',
    word: own,
    script: {},
    exchanges: sent.filter((one) => one.number === number).map(({ exchange }) => exchange),
    run: {
      ...run,
      answer: run.answer && { ...run.answer, text: run.answer.texts?.[number] ?? '' },
    },
  }));
}

function isAnswered({ exchanges }: ClientSession): boolean {
  return exchanges.some((one) => wholeText(one) !== null);
}

/** Returns the turns of a conversation in which each was answered: its outcome is that of each. */
export function answeredTurns(session: ClientSession): readonly ClientSession[] {
  const turns = turnsIn(session);
  return turns.every(isAnswered) ? turns : [];
}

/** Returns a turn with its own times, and without what became of the connection after its end. */
function byItself(turn: Exchange): Exchange {
  const { frames = [] } = turn.socket ?? {};
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) return turn;
  const isOver = answerOf(turn).events.some(({ json: event }) =>
    endsTurn(json.text(event, 'type')),
  );
  const { times, failure } = turn;
  const ended = isOver ? last.at : times.ended;
  return {
    ...turn,
    failure: isOver ? null : failure,
    times: { ...times, started: first.at, ended },
  };
}

/**
 * Returns the turns of a conversation that failed, or that come behind a cut between two, each with the same turn of
 * the one that was served.
 */
export function failedTurns(session: ClientSession, others: readonly ClientSession[]) {
  const served = others.find(
    ({ task, script }) => task === 'converse' && Object.keys(script).length === 0,
  );
  const { answer, skips = 0 } = session.script;
  if (answer === undefined || served === undefined || !session.met) return [];
  const usual = turnsIn(served);
  const isCut = answer.kind === 'hang-up';
  return turnsIn(session).flatMap((turn, number) => {
    const ordinary = usual[number];
    if (ordinary === undefined || (isCut ? number === 0 : number !== skips)) return [];
    const failed: ClientSession = { ...turn, script: isCut ? {} : { answer } };
    return { session: failed, ordinary };
  });
}

/** Judges that a client sends each prompt over a WebSocket, with what was said before. */
export function expectTurns(session: ClientSession): void {
  const { answer } = session.script;
  const turns = turnsIn(session);
  for (const [number, turn] of turns.entries()) {
    const sent = generationsIn(turn);
    const [first] = sent;
    const before = turns.slice(0, number);
    // A turn that fails is the last.
    if (!before.every(isAnswered)) return;
    if (first === undefined) {
      if (answer !== undefined) return;
      const actual = `${number} of ${turns.length}: ${endOf(session)}`;
      throw new ExpectationFailed('a turn for each prompt', actual, session.exchanges[0] ?? null);
    }
    const { exchange } = first;
    if (exchange.socket === null) {
      const actual = requestInWords(exchange);
      throw new ExpectationFailed('`response.create` over a WebSocket', actual, exchange);
    }
    if (!sent.some(({ body, exchange: own }) => goesOn(json.parsed(body), own, before))) {
      throw new ExpectationFailed(
        'the turns before: `previous_response_id` of the last one on its connection, or all prompts in `input`',
        `previous_response_id: ${json.text(requestBody(exchange), 'previous_response_id') ?? 'left out'}`,
        exchange,
      );
    }
  }
}

/** True for a turn that has the history of the turns before it. */
function goesOn(body: unknown, { id }: Exchange, before: readonly ClientSession[]): boolean {
  const last = before.at(-1);
  const text = JSON.stringify(body);
  if (last === undefined || before.every(({ word }) => text.includes(word))) return true;
  const named = json.text(body, 'previous_response_id');
  return last.exchanges.some(
    (one) =>
      named !== null &&
      contentOf(one).id === named &&
      // Without storage, the history is on the same connection alone.
      (one.id.request === id.request || json.at(requestBody(one), 'store') !== false),
  );
}
