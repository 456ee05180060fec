import {
  type ClientSession,
  clientCheck,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  contentOf,
  decoded,
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  json,
  judgeEach,
  NothingToJudge,
} from '../../harness/index.ts';
import {
  expectOneGeneration,
  requireScriptMet,
  secondTry,
  sentIn,
  startOf,
  storedGeneration,
} from './judged.ts';
import { failingTasks, onEach, type SituationFailure } from './situations.ts';

/** Judges that nothing is generated again where something failed so. */
function noneAfter(failure: SituationFailure, why: string) {
  return onEach(failure, (session, ordinary) => {
    requireScriptMet(session);
    if (session.task === 'lookup') throw new NothingToJudge('it generates nothing');
    if (idSeenIn(session) !== null)
      throw new NothingToJudge('its stored response can be looked up');
    expectOneGeneration(session, ordinary, why);
  });
}

/** Returns the id that a client saw of the response that it stored, or null. */
function idSeenIn(session: ClientSession): string | null {
  const { exchange, body } = storedGeneration(session);
  const isStored = session.task !== 'generate' && json.at(json.parsed(body), 'store') !== false;
  return isStored ? contentOf(exchange).id : null;
}

clientCheck.each('client/retries.none-when-uncertain', (value) =>
  noneAfter(value, ', since nobody knows whether it was executed'),
);

const refused = clientScenario('client/refused', {}, (client) =>
  client.start({ script: { answer: { kind: 'refused' } } }).then((session) => [session]),
);

clientCheck.each('client/retries.none-at-all', (value) =>
  value === 'refused'
    ? { on: refused, judge: expectNoneAfterRefusal }
    : noneAfter(value, ': zero automatic retries'),
);

/**
 * Judges that the client does not try a refused generation over another connection. A client may open connections
 * for other requests, or ahead of time: what counts is how many it opens where everything is served.
 */
function expectNoneAfterRefusal(sessions: readonly ClientSession[], ordinary: ClientSession): void {
  for (const session of sessions) {
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

clientCheck('client/retries.lookup-before-resend', failingTasks, (sessions, ordinary) => {
  judgeEach(sessions, startOf, (session) => {
    requireScriptMet(session);
    const id = session.task === 'lookup' ? null : idSeenIn(session);
    if (id === null) throw new NothingToJudge('no id of a stored response had come');
    const second = secondTry(session, ordinary);
    if (second === null || session.exchanges.some((one) => looksUp(one, id, second.at))) return;
    const [first] = sentIn(session);
    throw new ExpectationFailed(
      `a lookup of the response whose id it saw (${id}) before it generates again`,
      `a second generation ${Math.round(second.at - first.at)} ms after the first, and no lookup between`,
      second.exchange,
    );
  });
});

/** True for a lookup that told before a time whether there is such a response. */
function looksUp(exchange: Exchange, id: string, before: number): boolean {
  const { request, response, failure, times } = exchange;
  if (request.method !== 'GET' || times.started >= before) return false;
  const { status = 0 } = response ?? {};
  const isTold = failure === null && (status === 200 || status === 404);
  return isTold && decoded(pathOf(exchange)).includes(id);
}
