import {
  type ClientSession,
  clientCheck,
  clientCheckEach,
} from '../../harness/features/sessions/index.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from '../../harness/index.ts';
import { sentAndMet } from './judged.ts';
import { answeredWith, errorInStream, errors, uncertain } from './scenarios.ts';
import { expectNoAnswer } from './text.ts';

clientCheckEach('client/errors.no-answer', (value) => ({
  on: errors,
  judge: (sessions: readonly ClientSession[], ordinary) => {
    const session = answeredWith(sessions, value);
    sentAndMet(session);
    const what = value === 'page' ? 'the page of a proxy, with 502' : `the status ${value}`;
    expectNoAnswer(session, ordinary, what);
  },
}));

clientCheckEach('client/errors.broken-no-answer', (value) => ({
  on: uncertain[value],
  judge: (session: ClientSession, ordinary) => {
    sentAndMet(session);
    expectNoAnswer(session, ordinary, 'an answer that is cut');
  },
}));

/** Statuses that call for different remedies by the user. */
const different = ['401', '404', '429'] as const;

clientCheck('client/errors.distinguished', errors, (sessions) => {
  const told = different.map((value) => {
    const session = answeredWith(sessions, value);
    const [{ exchange }] = sentAndMet(session);
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

clientCheckEach('client/errors.in-stream', () => ({
  on: errorInStream,
  judge: (sessions: readonly ClientSession[], ordinary) => {
    for (const session of sessions) {
      sentAndMet(session);
      expectNoAnswer(session, ordinary, 'a stream with an error in it');
    }
  },
}));
