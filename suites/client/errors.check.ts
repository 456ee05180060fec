import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientCheckEach,
  clientScenario,
  type Script,
} from '../../harness/features/sessions/index.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from '../../harness/index.ts';
import { sentAndMet, sentIn } from './judged.ts';
import { met } from './scenarios.ts';
import { expectNoAnswer, notApplicableUnlessSpoken } from './text.ts';

type Answer = NonNullable<Script['answer']>;

/** Answers every request with the same status. Other checks judge if the client may retry. */
const always = (status: number): Answer => ({ kind: 'status', status, always: true });

const statuses = {
  '400': always(400),
  '401': always(401),
  '404': always(404),
  '429': always(429),
  '500': always(500),
  page: { kind: 'status', status: 502, html: true, always: true },
} as const satisfies Record<string, Answer>;

type Status = keyof typeof statuses;

type Sessions = ReadonlyMap<Status, ClientSession>;

const errors: ClientScenario<Sessions> = clientScenario(
  'client/errors',
  { starts: Object.keys(statuses).length },
  async (client) => {
    const names = Object.keys(statuses) as Status[];
    return new Map(
      await Promise.all(
        names.map(async (name) => {
          const session = await client.start({ script: { answer: statuses[name] } });
          return [name, session] as const;
        }),
      ),
    );
  },
);

clientCheckEach('client/errors.no-answer', (value) => ({
  on: errors,
  judge: (sessions: Sessions) => {
    const session = sessionOf(sessions, value);
    sentIn(session);
    sentAndMet(session);
    const what = value === 'page' ? 'the page of a proxy, with 502' : `the status ${value}`;
    expectNoAnswer(session, what);
  },
}));

/** Statuses that call for different remedies by the user. */
const different = ['401', '404', '429'] as const;

clientCheck('client/errors.distinguished', errors, (sessions) => {
  const told = different.map((value) => {
    const session = sessionOf(sessions, value);
    const [{ exchange }] = sentIn(session);
    sentAndMet(session);
    const { error, outcome } = session.run.answer ?? {};
    if (outcome === 'complete') throw new Inconclusive(`it takes ${value} for an answer`);
    if (error === undefined)
      throw new NothingToJudge('it says nothing of an error but that it is one');
    return { value, exchange, said: `${error.status ?? error.message}` };
  });
  for (const { value, said, exchange } of told) {
    const other = told.find((one) => one.value !== value && one.said === said);
    if (other === undefined) continue;
    const expected = `an error that tells ${value} from ${other.value}`;
    throw new ExpectationFailed(expected, `“${said}” for both`, exchange);
  }
});

function sessionOf(sessions: Sessions, value: Status): ClientSession {
  const session = sessions.get(value);
  if (session === undefined) throw new Error(`No start was answered with ${value}`);
  return session;
}

const broken = met('error-in-stream', { kind: 'error-in-stream', events: 6 }, { stream: true });

clientCheckEach('client/errors.in-stream', (protocol) => ({
  on: broken,
  judge: (session: ClientSession) => {
    notApplicableUnlessSpoken(session, protocol);
    sentAndMet(session);
    expectNoAnswer(session, 'a stream with an error in it');
  },
}));
