import { type ClientSession, clientCheck, pathOf } from '../../harness/features/sessions/index.ts';
import {
  answerOf,
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
  isFetched,
  notApplicableUnlessKnown,
  secondTry,
  sentAndMet,
  startOf,
  storedGeneration,
  wholeText,
} from './judged.ts';
import { cutAgain } from './scenarios.ts';
import { failingTasks, failureIn } from './situations.ts';
import { assumeSaid } from './text.ts';

clientCheck('client/recovery.from-the-last-event', failingTasks, (sessions) => {
  const cut = sessions.filter(
    (one) => one.task === 'recover' && one.script.recovery === undefined && isCut(one),
  );
  judgeEach(cut, startOf, expectToGoOn, { needsAll: true });
});

const isCut = (session: ClientSession): boolean =>
  /^(cut-stream|stall|ends-early)$/.test(failureIn(session) ?? '');

/** Judges a start in which a stored stream broke. */
function expectToGoOn(session: ClientSession): void {
  const { first, recoveries } = brokenIn(session);
  const said = assumeSaid(session);
  if (recoveries.length === 0) {
    if (said.outcome !== 'complete' || isFetched(session, said.text)) {
      throw new NothingToJudge('it takes no stream up again');
    }
    throw new ExpectationFailed(
      'the rest of the stream, with `stream` and `starting_after`',
      'the outcome `complete`, and nothing fetched',
      first,
    );
  }
  let last = lastNumber(first);
  for (const exchange of recoveries) {
    expectInPlace(session, exchange, last);
    last = Math.max(last, lastNumber(exchange));
  }
  const whole = recoveries.map(wholeText).find((text) => text !== null);
  if (whole == null) throw new Inconclusive('no recovery came to the end of the response');
  if (said.text === whole) return;
  const shown = `the text “${whole}”, each part once`;
  throw new ExpectationFailed(shown, `“${said.text}”`, recoveries.at(-1) ?? null);
}

clientCheck('client/recovery.gives-up', failingTasks, (sessions, ordinary) => {
  const refused = sessions.filter(({ script }) => script.recovery !== undefined);
  judgeEach(refused, startOf, (session) => expectToGiveUp(session, ordinary), { needsAll: true });
});

/** Judges a start in which it is refused, or fails, to go on with a stream. */
function expectToGiveUp(session: ClientSession, ordinary: ClientSession): void {
  const { about, recoveries } = brokenIn(session);
  const again = secondTry(session, ordinary);
  if (again !== null) {
    const actual = 'a second generation, though the first may be whole';
    throw new ExpectationFailed('an error, where it is refused to go on', actual, again.exchange);
  }
  const said = assumeSaid(session);
  if (said.outcome !== 'complete') {
    if (recoveries.length === 0) throw new NothingToJudge('it takes no stream up again');
    return;
  }
  if (isFetched(session, said.text)) return;
  const actual = `the outcome \`complete\`, with “${said.text}”`;
  throw new ExpectationFailed('an error, where it is refused to go on', actual, about[0] ?? null);
}

clientCheck('client/recovery.cut-again', cutAgain, (session, ordinary) => {
  const { recoveries } = brokenIn(session);
  if (recoveries.length === 0) throw new NothingToJudge('it takes no stream up again');
  const again = secondTry(session, ordinary);
  if (again !== null) {
    const actual = 'a second generation of what was going on';
    throw new ExpectationFailed('one generation', actual, again.exchange);
  }
  const said = assumeSaid(session);
  // Another row judges how the parts are joined.
  const isWhole = recoveries.some((exchange) => wholeText(exchange) !== null);
  if (said.outcome !== 'complete' || isWhole || isFetched(session, said.text)) return;
  const actual = `the outcome \`complete\`, with “${said.text}”`;
  const expected = 'one more recovery, or an error';
  throw new ExpectationFailed(expected, actual, recoveries.at(-1) ?? null);
});

interface Broken {
  readonly first: Exchange;
  /** GET requests for the response. */
  readonly about: readonly Exchange[];
  /** Requests of `about` that ask for events. */
  readonly recoveries: readonly Exchange[];
}

/**
 * @throws {Inconclusive | NothingToJudge} if no stream of a response with an id was cut
 */
function brokenIn(session: ClientSession): Broken {
  notApplicableUnlessKnown(session);
  sentAndMet(session);
  const first = storedGeneration(session);
  const id = contentOf(first.exchange).id;
  if (id === null) throw new Inconclusive('the stream was cut before the id had come');
  const about = session.exchanges.filter(
    (one) => one.request.method === 'GET' && decoded(pathOf(one)).includes(id),
  );
  const recoveries = about.filter((one) => {
    const { searchParams } = new URL(one.request.url);
    return searchParams.has('stream') || searchParams.has('starting_after');
  });
  return { first: first.exchange, about, recoveries };
}

function expectInPlace(session: ClientSession, exchange: Exchange, last: number): void {
  const { region } = exchange.about;
  if (region !== session.region) {
    const expected = `a recovery in ${session.region}, which made the response`;
    throw new ExpectationFailed(expected, `one in ${region}`, exchange);
  }
  const { searchParams } = new URL(exchange.request.url);
  const after = searchParams.get('starting_after');
  if (searchParams.get('stream') !== 'true' || (after !== null && !(Number(after) <= last))) {
    const query = `?${searchParams}`;
    throw new ExpectationFailed(`?stream=true&starting_after=${last}`, query, exchange);
  }
}

function lastNumber(exchange: Exchange): number {
  const numbers = answerOf(exchange).events.map(
    ({ json: event }) => json.number(event, 'sequence_number') ?? 0,
  );
  return Math.max(-1, ...numbers);
}
