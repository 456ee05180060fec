import {
  type ClientSession,
  clientCheckEach,
  clientScenario,
  pathOf,
  type Script,
} from '../../harness/features/sessions/index.ts';
import {
  answerId,
  decoded,
  type Exchange,
  ExpectationFailed,
  headerValues,
  Inconclusive,
  NothingToJudge,
} from '../../harness/index.ts';
import { endOf, storedGeneration } from './judged.ts';

type Lookups = NonNullable<Script['lookups']>;

const running = { state: 'in_progress' } as const;

/** Answers to the polls. */
const polled = {
  pace: [...Array<typeof running>(8).fill(running), { state: 'completed' }],
  'retry-after': [{ kind: 'status', status: 503, retryAfter: '2' }, { state: 'completed' }],
  failed: [running, { state: 'failed' }],
  cancelled: [running, { state: 'cancelled' }],
  incomplete: [running, { state: 'incomplete' }],
} as const satisfies Record<string, Lookups>;

/** Minimum pause between polls in milliseconds: ten polls per second, far more often than any document shows. */
const leastPauseMs = 100;

clientCheckEach('client/background.polls', (value) => ({
  on: clientScenario(
    `client/background-${value}`,
    { protocols: ['responses'], tasks: true },
    (client) => client.start({ task: 'background', script: { lookups: polled[value] } }),
  ),
  judge: (session: ClientSession) => {
    const polls = pollsIn(session);
    if (value === 'pace') expectPace(polls);
    else if (value === 'retry-after') expectPatience(polls);
    else expectEnd(polls, polled[value].length, value);
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
function expectEnd(polls: readonly Exchange[], ended: number, state: string): void {
  const after = polls.slice(ended);
  if (polls.length < ended) throw new Inconclusive(`it stopped before the response was ${state}`);
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
 * @throws {Inconclusive | NothingToJudge}
 */
function pollsIn(session: ClientSession): readonly Exchange[] {
  const id = answerId(storedGeneration(session).exchange);
  const polls = session.exchanges.filter(
    (one) => one.request.method === 'GET' && decoded(pathOf(one).split('/').at(-1) ?? '') === id,
  );
  if (id !== null && polls.length > 0) return polls;
  throw new Inconclusive(`it polls nothing: ${endOf(session)}`);
}
