import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientCheckEach,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  answerId,
  decoded,
  ExpectationFailed,
  Inconclusive,
  NothingToJudge,
} from '../../harness/index.ts';
import { expectOneGeneration, secondTry, sentAndMet, startOf, storedGeneration } from './judged.ts';
import { errorInStream, errors, everyStart, uncertain } from './scenarios.ts';

type OneStartOrMore = ClientSession | readonly ClientSession[];

/** True for a start whose first generation failed so. Stored ones have rows of their own. */
const failedBy =
  (value: string) =>
  ({ task, met: isMet, script: { answer } }: ClientSession): boolean =>
    task === 'generate' &&
    isMet &&
    (answer?.kind === 'status' ? `${answer.status}` : answer?.kind) === value;

/** Judges each of these starts that failed so. */
function expectNoneAfter(
  value: string,
  started: OneStartOrMore,
  common: ClientSession,
  why: string,
): void {
  const sessions = [started].flat();
  const failed = sessions.filter(failedBy(value));
  for (const session of failed) {
    const ordinary = sessions.find(
      ({ id, stream }) => id.scenario === common.id.scenario && stream === session.stream,
    );
    expectOneGeneration(session, ordinary ?? common, why);
  }
  if (failed.length > 0) return;
  const [first] = sessions;
  if (sessions.length === 1 && first !== undefined) sentAndMet(first);
  throw new NothingToJudge('no start failed so');
}

clientCheckEach('client/retries.none-when-uncertain', (value) => ({
  on: [uncertain[value], everyStart],
  judge: (started: OneStartOrMore, ordinary) =>
    expectNoneAfter(value, started, ordinary, ', since nobody knows whether it was executed'),
}));

/** Answers twice with the same status: without `Retry-After`, and with an immediate one. */
function hinted(status: number): ClientScenario<OneStartOrMore> {
  return clientScenario(`client/status-${status}`, { starts: 2 }, (client) =>
    Promise.all([
      client.start({ script: { answer: { kind: 'status', status } } }),
      client.start({ script: { answer: { kind: 'status', status, retryAfter: '0' } } }),
    ]),
  );
}

const refused = clientScenario('client/refused', {}, (client) =>
  client.start({ script: { answer: { kind: 'refused' } } }),
);

clientCheckEach('client/retries.none-at-all', (value) => {
  if (value === 'refused') return { on: refused, judge: expectNoneAfterRefusal };
  const own =
    value === 'error-in-stream'
      ? errorInStream
      : ['400', '401', '404'].includes(value)
        ? errors
        : hinted(Number(value));
  return {
    on: [own, everyStart],
    judge: (started: OneStartOrMore, ordinary: ClientSession) =>
      expectNoneAfter(value, started, ordinary, ': zero automatic retries'),
  };
});

/**
 * Judges that the client does not try a refused generation over another connection. A client may open connections
 * for other requests, or ahead of time: what counts is how many it opens where everything is served.
 */
function expectNoneAfterRefusal(started: OneStartOrMore, ordinary: ClientSession): void {
  for (const session of [started].flat()) {
    if (!session.met) {
      throw new Inconclusive(`in ${startOf(session)} the client opened no connection`);
    }
    const { connections, exchanges } = session;
    const usual = Math.max(1, ordinary.connections ?? 1);
    if (connections === undefined ? exchanges.length === 0 : connections <= usual) continue;
    throw new ExpectationFailed(
      'no generation after the connection was refused: zero automatic retries',
      connections === undefined
        ? 'one over a further connection'
        : `${connections} connections, and ${usual} where everything is served`,
      exchanges[0] ?? null,
    );
  }
}

const brokenWhileStored = clientScenario(
  'client/broken-while-stored',
  { protocols: ['responses'], tasks: true },
  (client) =>
    client.start({
      task: 'store',
      stream: true,
      script: { answer: { kind: 'cut-stream', events: 3 } },
    }),
);

clientCheck('client/retries.lookup-before-resend', brokenWhileStored, (session, ordinary) => {
  sentAndMet(session);
  const first = storedGeneration(session);
  const second = secondTry(session, ordinary);
  const id = answerId(first.exchange);
  if (id === null) throw new Inconclusive('the stream was cut before the id had come');
  if (second === null) return;
  const lookup = session.exchanges.find(
    ({ request, times }) => request.method === 'GET' && times.started < second.at,
  );
  if (lookup !== undefined && decoded(pathOf(lookup)).includes(id)) return;
  throw new ExpectationFailed(
    `a lookup of the response whose id it saw (${id}) before it generates again`,
    `a second generation ${Math.round(second.at - first.at)} ms after the first, and no lookup between`,
    second.exchange,
  );
});
