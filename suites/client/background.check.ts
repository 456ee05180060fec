import { type ClientSession, clientCheck } from '../../harness/features/sessions/index.ts';
import {
  asksForStream,
  contentOf,
  type Exchange,
  ExpectationFailed,
  headerValues,
  Inconclusive,
  json,
  NothingToJudge,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { endOf, notApplicableUnlessKnown, storedGeneration } from './judged.ts';
import { polled } from './scenarios.ts';

/** Minimum pause between polls in milliseconds: ten polls per second, far more often than any document shows. */
const leastPauseMs = 100;

clientCheck.each('client/background.polls', (value) => ({
  on: polled[value],
  judge: (session: ClientSession) => {
    const polls = pollsIn(session);
    if (value === 'pace') expectPace(polls);
    else if (value === 'retry-after') expectPatience(polls);
    else expectEnd(session, polls, value);
  },
}));

function expectPace(polls: readonly Exchange[]): void {
  const pauses = polls.slice(1).map((poll, index) => pauseBetween(polls[index], poll));
  if (pauses.length === 0) throw new NothingToJudge('it polls only once');
  // The median, because a busy machine may delay single polls.
  const middle = pauses.sort((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0;
  if (middle >= leastPauseMs) return;
  throw new ExpectationFailed(
    `at least ${leastPauseMs} ms from an answer to the next poll`,
    `${Math.round(middle)} ms and less in half of ${polls.length} polls`,
    polls.at(-1) ?? null,
  );
}

function expectPatience(polls: readonly Exchange[]): void {
  const busy = polls.find(({ response }) => response?.status === 503);
  if (busy === undefined) throw new Inconclusive('no poll was put off');
  const next = polls[polls.indexOf(busy) + 1];
  if (next === undefined) throw new NothingToJudge('it polls no more when it is put off');
  const asked = 1000 * Number(headerValues(busy, 'retry-after')[0]);
  const waited = pauseBetween(busy, next);
  if (waited >= asked) return;
  const actual = `${Math.round(waited)} ms`;
  throw new ExpectationFailed(`${asked} ms until the next poll, as was asked for`, actual, next);
}

/**
 * Returns the pause before a poll in milliseconds, from the earliest moment at which the client could see the
 * previous answer.
 */
function pauseBetween(answered: Exchange | undefined, { times }: Exchange): number {
  const { headers, started } = answered?.times ?? times;
  return times.started - (headers ?? started);
}

/** Judges that the client stops polling after the end. One more lookup may fetch the result. */
function expectEnd(session: ClientSession, polls: readonly Exchange[], state: string): void {
  const { length: ended = 0 } = session.script.lookups ?? [];
  const after = polls.slice(ended);
  if (polls.length < ended) throw stopped(session, `polls until the response is ${state}`, polls);
  if (after.length <= 1) return;
  throw new ExpectationFailed(
    `no more polls of a response that is ${state}`,
    `${after.length} more`,
    after[0] ?? null,
  );
}

/**
 * Returns the client's lookups of its background response.
 *
 * @throws {ExpectationFailed | Inconclusive | NothingToJudge}
 */
function pollsIn(session: ClientSession): readonly Exchange[] {
  notApplicableUnlessKnown(session);
  const { exchange } = storedGeneration(session);
  const polls = session.exchanges.filter(({ about }) => about.operation === 'responses.lookup');
  if (contentOf(exchange).id === null) throw new Inconclusive(`nothing runs: ${endOf(session)}`);
  if (polls.length > 0) return polls;
  if (json.at(requestBody(exchange), 'background') !== true || asksForStream(exchange)) {
    throw new NothingToJudge('it runs nothing that has to be polled');
  }
  throw stopped(session, 'polls of the response', [exchange]);
}

/** Returns the failure of a client that ended before a response did. */
function stopped(
  session: ClientSession,
  expected: string,
  seen: readonly Exchange[],
): ExpectationFailed | Inconclusive {
  const actual = `no more: ${endOf(session)}`;
  if (session.run.endedBy !== 'itself') return new Inconclusive(actual);
  return new ExpectationFailed(expected, actual, seen.at(-1) ?? null);
}
