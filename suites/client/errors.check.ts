import { type ClientSession, clientCheck } from '../../harness/features/sessions/index.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from '../../harness/index.ts';
import { requireScriptMet, sentAndMet } from './judged.ts';
import { everyStart } from './scenarios.ts';
import { failing, failureIn, onEach } from './situations.ts';
import { expectNoAnswer } from './text.ts';

/** Judges that a start in which something failed is not told as a whole answer. */
function noAnswer(failure: Parameters<typeof onEach>[0], what: string) {
  return onEach(failure, (session, ordinary) => {
    requireScriptMet(session);
    expectNoAnswer(session, ordinary, what);
  });
}

clientCheck.each('client/errors.no-answer', (value) =>
  value === 'page'
    ? noAnswer('502', 'the page of a proxy, with 502')
    : noAnswer(value, `the status ${value}`),
);

clientCheck.each('client/errors.broken-no-answer', (value) =>
  noAnswer(
    value,
    value === 'hang-up' ? 'a conversation that is cut between two turns' : 'an answer that is cut',
  ),
);

clientCheck.each('client/errors.in-stream', () =>
  noAnswer('error-in-stream', 'a stream with an error in it'),
);

clientCheck.each('client/stream.no-end-is-no-answer', () =>
  noAnswer('ends-early', 'a stream without its end'),
);

/** Statuses that call for different remedies by the user. */
const different = ['401', '404', '429'] as const;

clientCheck(
  'client/errors.distinguished',
  [...different.map((one) => failing[one]), everyStart],
  (sessions: readonly ClientSession[]) => {
    const told = different.map((value) => {
      const session = sessions.find((one) => one.task === 'generate' && failureIn(one) === value);
      if (session === undefined) throw new NothingToJudge('other starts show the rest');
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
  },
);
