import { type ClientSession, saidBy } from '../../harness/features/sessions/index.ts';
import {
  ExpectationFailed,
  Inconclusive,
  NothingToJudge,
  type Protocol,
} from '../../harness/index.ts';
import { endOf, sentIn, startOf } from './judged.ts';

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

/** @throws {NothingToJudge} if the session uses another protocol */
export function notApplicableUnlessSpoken(session: ClientSession, protocol: Protocol): void {
  if (session.protocol === protocol) return;
  throw new NothingToJudge(`the client does not speak ${protocol}`);
}

/**
 * Judges that the client does not report a complete answer.
 *
 * @param what description of the actual answer
 */
export function expectNoAnswer(session: ClientSession, what: string): void {
  const { text, outcome } = assumeSaid(session);
  if (outcome !== 'complete') return;
  const [{ exchange }, again] = sentIn(session);
  const { answer } = session.script;
  const isServed = !(answer?.kind === 'status' && answer.always === true);
  if (again !== undefined && isServed)
    throw new NothingToJudge('it generated again, and was served');
  const shown = text === '' ? 'no text' : `“${text.slice(0, 120)}”`;
  const how = session.run.answer === null ? 'exit code 0' : 'the outcome `complete`';
  throw new ExpectationFailed(`an error, for ${what}`, `${how}, with ${shown}`, exchange);
}
