import {
  type ClientSession,
  generationsIn,
  saidBy,
} from '../../harness/features/sessions/index.ts';
import { contentOf, ExpectationFailed, Inconclusive, NothingToJudge } from '../../harness/index.ts';
import { endOf, isFailed, isFetched, secondTry, startOf } from './judged.ts';

type Said = NonNullable<ReturnType<typeof saidBy>>;

/**
 * Returns the client's report of its answer.
 *
 * @throws {Inconclusive} if the report cannot be read
 */
export function assumeSaid(session: ClientSession): Said {
  const { run } = session;
  if (run.answer === null && run.endedBy !== 'itself') {
    throw new Inconclusive(`${startOf(session)}: ${endOf(session)}`);
  }
  const said = saidBy(session);
  if (said === null) throw new Inconclusive(`${startOf(session)}: ${run.problem}`);
  return said;
}

/**
 * Judges that the client does not report a complete answer.
 *
 * @param ordinary the start of the same form in which everything was served: the client has to tell it as whole
 * @param what description of the actual answer
 */
export function expectNoAnswer(
  session: ClientSession,
  ordinary: ClientSession,
  what: string,
): void {
  const { text, outcome } = assumeSaid(session);
  if (outcome !== 'complete') {
    assumeWhole(ordinary);
    return;
  }
  if (isFetched(session, text)) return;
  // A lookup that fails leaves nothing of a text, whatever was generated before.
  const all = session.script.lookups === undefined ? generationsIn(session) : [];
  const whole = all.filter(({ exchange }) => !isFailed(exchange, session));
  // No source says what the text of an answer of System One is.
  const hasText = session.protocol !== 'systemone';
  if (whole.some(({ exchange }) => !hasText || contentOf(exchange).text.trim() === text)) {
    if (secondTry(session, ordinary) === null) return;
    throw new NothingToJudge('it generated again, and was served');
  }
  const shown = text === '' ? 'no text' : `“${text.slice(0, 120)}”`;
  const how = session.run.answer === null ? 'exit code 0' : 'the outcome `complete`';
  const exchange = all[0]?.exchange ?? session.exchanges.at(-1) ?? null;
  throw new ExpectationFailed(`an error, for ${what}`, `${how}, with ${shown}`, exchange);
}

/** @throws {Inconclusive} if the client does not even tell a whole answer as whole */
function assumeWhole(ordinary: ClientSession): void {
  // A client that knows no streams was asked for none, and tells its other answers.
  if (ordinary.run.answer?.unsupported === true) return;
  const { outcome } = assumeSaid(ordinary);
  if (outcome === 'complete') return;
  throw new Inconclusive(`it tells a whole answer as \`${outcome}\`, too`);
}
