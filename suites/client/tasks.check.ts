import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  generationsIn,
} from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  contentOf,
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  judgeEach,
  NothingToJudge,
  requestInWords,
} from '../../harness/index.ts';
import {
  assumeInTime,
  endOf,
  notApplicableUnlessKnown,
  secondTry,
  startOf,
  storedGeneration,
  wholeText,
} from './judged.ts';
import {
  background,
  counted,
  everyTask,
  listed,
  oddId,
  polled,
  recovered,
  refused,
} from './scenarios.ts';
import { asksModel, sendings, statesIn } from './tasks.ts';
import { assumeSaid } from './text.ts';
import { conversed, expectTurns, turnsIn } from './turns.ts';

type OneTaskOrMore = ClientSession | readonly ClientSession[];
type Task = keyof typeof sendings;

/** Judges each of these starts that is about a matter. */
function judgeTasks(
  started: OneTaskOrMore,
  isAbout: (session: ClientSession) => boolean,
  judge: (session: ClientSession) => void,
): void {
  const about = [started].flat().filter(isAbout);
  const judgeOne = (session: ClientSession): void => {
    notApplicableUnlessKnown(session);
    judge(session);
  };
  judgeEach(about, startOf, judgeOne, { noun: 'start' });
}

/** Starts that show a task, unless others do. */
const shownBy: Partial<Record<Task | 'converse', ClientScenario<OneTaskOrMore>>> = {
  ...{ recover: recovered, stream: recovered, background, count: counted, list: listed },
  converse: conversed,
};

clientCheck.each('client/tasks.sent', (task) => ({
  on: [shownBy[task] ?? oddId, everyTask],
  judge: (started: OneTaskOrMore) =>
    judgeTasks(
      started,
      (one) => (task === 'stream' ? one.stream : one.task === task),
      (session) => (task === 'converse' ? expectTurns(session) : expectSent(session, task)),
    ),
}));

function expectSent(session: ClientSession, task: Task): void {
  const { expected, is } = sendings[task];
  const { exchanges, run, script } = session;
  if (script.odd === true && exchanges.length === 0)
    throw new NothingToJudge('it takes no such id');
  if (
    task === 'recover' &&
    (!session.met || contentOf(storedGeneration(session).exchange).id === null)
  )
    throw new NothingToJudge('no stream of a response with an id broke');
  if (exchanges.some((exchange) => is(exchange, session))) return;
  if (run.answer === null) throw new Inconclusive(`${startOf(session)}: ${endOf(session)}`);
  const sent = exchanges.map(requestInWords).join(', ');
  const actual = `${sent === '' ? 'no request' : sent} for \`${session.task}\`: ${endOf(session)}`;
  throw new ExpectationFailed(expected, actual, exchanges[0] ?? null);
}

clientCheck.each('client/tasks.no-more', (task) => ({
  on: [shownBy[task] ?? oddId, everyTask],
  judge: (started: OneTaskOrMore, ordinary) =>
    judgeTasks(
      started,
      (one) => one.task === task,
      (session) => expectNoMore(session, ordinary),
    ),
}));

/** Tasks that generate. */
const generating = ['store', 'continue', 'background'];

function expectNoMore(session: ClientSession, ordinary: ClientSession): void {
  const { task, exchanges } = session;
  const deletion = exchanges.find(({ about }) => about.operation === 'responses.delete');
  if (deletion !== undefined && task !== 'delete') {
    throw new ExpectationFailed(`no deletion for \`${task}\``, 'one', deletion);
  }
  const turns = turnsIn(session).filter((turn) => generationsIn(turn).length > 0);
  const own = generating.includes(task) ? [session] : turns;
  if (own.length > 0 && (session.script.answer?.kind ?? 'hang-up') !== 'hang-up') {
    throw new NothingToJudge('it met a failure, which other rows judge');
  }
  const again = own.flatMap((one) => secondTry({ ...one, met: true }, ordinary)?.exchange ?? []);
  const [more] = own.length > 0 ? again : exchanges.filter(asksModel);
  if (more === undefined) return;
  const expected = own.length > 0 ? 'one generation, as for a prompt alone' : 'no generation';
  throw new ExpectationFailed(`${expected}, for \`${task}\``, requestInWords(more), more);
}

clientCheck.each('client/tasks.outcome', (value) => ({
  on: [
    value === 'served'
      ? counted
      : value === 'running'
        ? refused
        : polled[value === 'completed' ? 'pace' : value],
    everyTask,
  ],
  judge: (started: OneTaskOrMore) =>
    value === 'served'
      ? judgeTasks(started, ({ task }) => others.includes(task), expectDone)
      : judgeTasks(
          started,
          ({ task }) => ofResponse.includes(task),
          (session) => expectTold(session, value),
        ),
}));

const ofResponse = [...generating, 'recover', 'lookup'];
const others = ['input-items', 'cancel', 'delete', 'count', 'list'];

/** Judges what a client tells of a response that it saw last in a state. */
function expectTold(session: ClientSession, value: string): void {
  const { about, task, exchanges, run } = session;
  const id = about !== undefined && task === 'lookup' ? about : idOfOwn(session);
  const shown = exchanges.filter((one) => statesIn(one).some((response) => response.id === id));
  const [last] = shown.slice(-1);
  const state = shown
    .flatMap(statesIn)
    .filter((response) => response.id === id)
    .at(-1)?.state;
  if (state !== value || last === undefined) throw new NothingToJudge(`nothing was ${value}`);
  const { text, outcome } = assumeSaid(session);
  const texts = exchanges.map(wholeText).flatMap((one) => (one === null ? [] : [one.trim()]));
  const isWhole = outcome === 'complete' && texts.includes(text);
  if (value === 'completed') {
    if (isWhole) return;
    assumeInTime(session);
    const actual = `the outcome \`${outcome}\`, with “${text.slice(0, 120)}”`;
    throw new ExpectationFailed('a whole response told as whole, with its text', actual, last);
  }
  // A lookup is done, in whatever state the response is; a client may also tell a limit by its status alone.
  if (task === 'lookup' || (value === 'incomplete' && run.answer?.status === value)) return;
  if (outcome !== 'complete' || isWhole) return;
  const actual = 'the outcome `complete`';
  throw new ExpectationFailed(`no whole answer: the response is ${value}`, actual, last);
}

function idOfOwn(session: ClientSession): string | null {
  return contentOf(storedGeneration(session).exchange).id;
}

function expectDone(session: ClientSession): void {
  const { task, exchanges, run } = session;
  const sending = Object.entries(sendings).find(([name]) => name === task)?.[1];
  const served = exchanges.find(
    (one) => one.response?.status === 200 && one.failure === null && sending?.is(one, session),
  );
  if (served === undefined) throw new NothingToJudge('it was not served');
  const { outcome } = assumeSaid(session);
  const { tokens, models, status } = run.answer ?? {};
  const isKnown =
    task === 'count'
      ? Object.values(Object(answerOf(served).value)).includes(tokens)
      : task !== 'list' || models !== undefined;
  // The response that a cancel is answered with is none that is whole.
  if ((outcome === 'complete' && isKnown) || (task === 'cancel' && status === 'cancelled')) return;
  const actual = isKnown ? `the outcome \`${outcome}\`` : 'another answer, or none';
  throw new ExpectationFailed(`what was answered to \`${task}\``, actual, served);
}

/** Further requests for a response that brought nothing new: enough for what is not there yet. */
const mostStale = 5;

clientCheck('client/tasks.bounded', [refused, everyTask], (started: OneTaskOrMore) =>
  judgeTasks(started, ({ task }) => ofResponse.includes(task), expectBounded),
);

function expectBounded({ exchanges }: ClientSession): void {
  const asked = exchanges.filter(({ about }) =>
    /^responses\.(lookup|recover)$/.test(about.operation),
  );
  if (asked.length === 0) throw new NothingToJudge('it asks for no response');
  const stale = asked.filter((one) =>
    exchanges.slice(0, exchanges.indexOf(one)).some((before) => isSettled(before, one)),
  );
  if (stale.length <= mostStale) return;
  const [first = null] = stale;
  const actual = `${stale.length} more that brought nothing new`;
  throw new ExpectationFailed('an end of requests for a response', actual, first);
}

/** True if an earlier answer says all that a request asks for: the end of its response, or a refusal. */
function isSettled(before: Exchange, { request, about }: Exchange): boolean {
  const { status = 0 } = before.response ?? {};
  const isSame = before.about.operation === about.operation && before.request.url === request.url;
  if (isSame && status >= 400 && status < 500 && status !== 429) return true;
  return statesIn(before).some(({ id, state }) => state !== 'running' && request.url.includes(id));
}
