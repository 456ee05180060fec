import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientCheckEach,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import { answerId, decoded, ExpectationFailed, Inconclusive } from '../../harness/index.ts';
import { expectOneGeneration, sentAndMet, sentIn, startOf } from './judged.ts';
import { met } from './scenarios.ts';

/** Answers that leave a client uncertain if its request was executed. */
const uncertain = {
  reset: met('reset', { kind: 'reset' }),
  'no-answer': met('no-answer', { kind: 'no-answer' }),
  'cut-body': met('cut-body', { kind: 'cut-body' }),
  'cut-stream': met('cut-stream', { kind: 'cut-stream', events: 4 }, { stream: true }),
  stall: met('stall', { kind: 'stall', events: 4 }, { stream: true }),
} as const satisfies Record<string, ClientScenario<ClientSession>>;

clientCheckEach('client/retries.none-when-uncertain', (value) => ({
  on: uncertain[value],
  judge: (session: ClientSession) =>
    expectOneGeneration(session, ', since nobody knows whether it was executed'),
}));

/** Answers twice with the same status: without `Retry-After`, and with an immediate one. */
function hinted(status: number): ClientScenario<readonly ClientSession[]> {
  return clientScenario(`client/status-${status}`, { starts: 2 }, (client) =>
    Promise.all([
      client.start({ script: { answer: { kind: 'status', status } } }),
      client.start({ script: { answer: { kind: 'status', status, retryAfter: '0' } } }),
    ]),
  );
}

const refused = clientScenario('client/refused', {}, async (client) => [
  await client.start({ script: { answer: { kind: 'refused' } } }),
]);

clientCheckEach('client/retries.none-at-all', (value) => ({
  on: value === 'refused' ? refused : hinted(Number(value)),
  judge: (sessions: readonly ClientSession[]) => {
    for (const session of sessions) {
      if (value === 'refused') expectNoneAfterRefusal(session);
      else expectOneGeneration(session, ': zero automatic retries');
    }
  },
}));

/**
 * Judges that no request follows a refused connection. The first connection carried none, so any request is a
 * retry.
 */
function expectNoneAfterRefusal(session: ClientSession): void {
  if (!session.met) {
    throw new Inconclusive(`in ${startOf(session)} the client opened no connection`);
  }
  if (session.exchanges.length === 0) return;
  const [again] = sentIn(session);
  throw new ExpectationFailed(
    'no generation after the connection was refused: zero automatic retries',
    'one over a further connection',
    again.exchange,
  );
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

clientCheck('client/retries.lookup-before-resend', brokenWhileStored, (session) => {
  const [first, second] = sentAndMet(session);
  const id = answerId(first.exchange);
  if (id === null) throw new Inconclusive('the stream was cut before the id had come');
  if (second === undefined) return;
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
