import {
  type ClientSession,
  clientCheckEach,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import { decoded, ExpectationFailed, textAt } from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { notApplicableUnlessKnown, sentIn, sentNothingAbout, storedIn } from './judged.ts';
import { oddId } from './task-scenarios.ts';

clientCheckEach('client/requests.response-id-encoded', (task) => ({
  on: oddId,
  judge: ([stored, ...sessions]: readonly ClientSession[]) => {
    const id = stored === undefined ? '' : storedIn(stored);
    const own = sessions.filter((one) => one.task === task);
    for (const session of task === 'continue' ? own : []) expectContinued(session, id);
    if (task === 'continue') return;
    for (const exchange of own.flatMap(askedIn)) {
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
