import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientCheckEach,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import { decoded, ExpectationFailed, textAt } from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import {
  expectNoBody,
  notApplicableUnlessKnown,
  sentIn,
  sentNothingAbout,
  storedIn,
} from './judged.ts';

interface OddId {
  readonly id: string;
  readonly sessions: Readonly<
    Record<'lookup' | 'input-items' | 'cancel' | 'delete' | 'continue', ClientSession>
  >;
}

/** Operations on a response whose id has every class of characters that a path encodes. */
const oddId: ClientScenario<OddId> = clientScenario(
  'client/odd-id',
  { protocols: ['responses'], tasks: true, starts: 6 },
  async (client) => {
    const stored = await client.start({ task: 'store', script: { odd: true } });
    const id = storedIn(stored);
    const lookup = await client.start({ task: 'lookup', id });
    const items = await client.start({ task: 'input-items', id });
    const continued = await client.start({ task: 'continue', id });
    const cancel = await client.start({ task: 'cancel', id });
    const deletion = await client.start({ task: 'delete', id });
    return {
      id,
      sessions: { lookup, 'input-items': items, cancel, delete: deletion, continue: continued },
    };
  },
);

clientCheckEach('client/requests.response-id-encoded', (task) => ({
  on: oddId,
  judge: ({ id, sessions }: OddId) => {
    if (task === 'continue') return expectContinued(sessions[task], id);
    for (const exchange of askedIn(sessions[task])) {
      const path = pathOf(exchange);
      const [, segment = ''] =
        /^\/v1\/responses\/([^/]+)(?:\/(?:input_items|cancel))?$/.exec(path) ?? [];
      if (decoded(segment) === id) continue;
      throw new ExpectationFailed(
        `the id as one segment: ${encodeURIComponent(id)}`,
        `${exchange.request.method} ${path}`,
        exchange,
      );
    }
  },
}));

function expectContinued(session: ClientSession, id: string): void {
  const named = sentIn(session).map(({ exchange }) => {
    return [textAt(requestBody(exchange), 'previous_response_id'), exchange] as const;
  });
  // A title or a plan beside the answer continues nothing.
  const [found, exchange] = named.find(([one]) => one !== null) ?? [null, null];
  if (found === null) throw sentNothingAbout(session);
  if (found !== id) throw new ExpectationFailed(`the id as it is: ${id}`, found, exchange);
}

clientCheck('client/background.cancel-without-body', oddId, ({ sessions }) => {
  for (const exchange of askedIn(sessions.cancel)) expectNoBody(exchange);
});

/**
 * Returns the requests about a response.
 *
 * @throws {Inconclusive | NothingToJudge} without any
 */
function askedIn(session: ClientSession): ClientSession['exchanges'] {
  notApplicableUnlessKnown(session);
  const about = session.exchanges.filter((one) => /^\/v1\/responses\/./.test(pathOf(one)));
  if (about.length > 0) return about;
  throw sentNothingAbout(session);
}
