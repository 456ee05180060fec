import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientCheckEach,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import { decoded, ExpectationFailed } from '../../harness/index.ts';
import { expectNoBody, notApplicableUnlessKnown, sentNothingAbout, storedIn } from './judged.ts';

interface OddId {
  readonly id: string;
  readonly sessions: Readonly<
    Record<'lookup' | 'input-items' | 'cancel' | 'delete', ClientSession>
  >;
}

/** Operations on a response whose id contains `/`, `?` and `#`. */
const oddId: ClientScenario<OddId> = clientScenario(
  'client/odd-id',
  { protocols: ['responses'], tasks: true, starts: 5 },
  async (client) => {
    const stored = await client.start({ task: 'store', script: { oddIds: true } });
    const id = storedIn(stored);
    const lookup = await client.start({ task: 'lookup', id });
    const items = await client.start({ task: 'input-items', id });
    const cancel = await client.start({ task: 'cancel', id });
    const deletion = await client.start({ task: 'delete', id });
    return { id, sessions: { lookup, 'input-items': items, cancel, delete: deletion } };
  },
);

clientCheckEach('client/requests.response-id-encoded', (task) => ({
  on: oddId,
  judge: ({ id, sessions }: OddId) => {
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
