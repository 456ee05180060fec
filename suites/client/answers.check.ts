import { type ClientSession, clientCheck } from '../../harness/features/sessions/index.ts';
import {
  asksForStream,
  contentOf,
  ExpectationFailed,
  Inconclusive,
  NothingToJudge,
} from '../../harness/index.ts';
import { assumeInTime, endOf, isFailed, notApplicableUnlessKnown, sentIn } from './judged.ts';
import { everyStart } from './scenarios.ts';
import { assumeSaid } from './text.ts';
import { answeredTurns } from './turns.ts';

clientCheck.each('client/answers.told-whole', () => ({
  on: everyStart,
  judge: (sessions: readonly ClientSession[]) => expectToldWhole(sessions, false),
}));

clientCheck.each('client/answers.stream-told-whole', () => ({
  on: everyStart,
  judge: (sessions: readonly ClientSession[]) => expectToldWhole(sessions, true),
}));

/** Judges the starts for one generation in which everything was served. */
function expectToldWhole(sessions: readonly ClientSession[], stream: boolean): void {
  const ordinary = sessions
    .filter(isServed)
    .flatMap((session) => [session, ...answeredTurns(session)])
    .filter((session) => session.task === 'generate' && session.stream === stream);
  for (const session of ordinary) expectWhole(session);
}

/** True where everything is served as usual. What becomes of an odd id is judged by other rows. */
function isServed({ script }: ClientSession): boolean {
  const { answer, framing, beside, truncated, odd } = script;
  return [answer, framing, beside, truncated, odd].every((one) => one === undefined);
}

function expectWhole(session: ClientSession): void {
  notApplicableUnlessKnown(session);
  const all = sentIn(session);
  if (session.stream && !all.some(({ exchange }) => asksForStream(exchange))) {
    throw new NothingToJudge('the client did not ask for a stream');
  }
  const whole = all.filter(({ exchange }) => !isFailed(exchange, session));
  const { text, outcome } = assumeSaid(session);
  const [first] = whole;
  if (first === undefined) throw new Inconclusive('it got no whole answer', all[0].exchange);
  const { exchange } = first;
  if (outcome !== 'complete') {
    assumeInTime(session);
    const actual = `the outcome \`${outcome}\`: ${endOf(session)}`;
    throw new ExpectationFailed('a whole answer told as whole', actual, exchange);
  }
  // The interface does not say what the text of an answer of System One is.
  if (session.protocol === 'systemone') return;
  const texts = whole.map((one) => contentOf(one.exchange).text.trim()).filter(Boolean);
  // A program without tasks prints what it likes around its answer.
  const isPlain = session.run.answer === null;
  const isTold = (one: string): boolean => (isPlain ? text.includes(one) : text === one);
  if (texts.length === 0 || texts.some(isTold)) return;
  assumeInTime(session);
  throw new ExpectationFailed(
    `the text “${texts[0] ?? ''}”`,
    text === '' ? 'no text' : `“${text.slice(0, 200)}”`,
    exchange,
  );
}
