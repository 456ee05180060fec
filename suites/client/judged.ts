import {
  type ClientSession,
  generationsIn,
  headerOf,
} from '../../harness/features/sessions/index.ts';
import {
  answerId,
  asksForStream,
  ExpectationFailed,
  Inconclusive,
  NothingToJudge,
} from '../../harness/index.ts';

type Generation = ReturnType<typeof generationsIn>[number];

/**
 * Returns the generations that the client requested, at least one.
 *
 * @throws {Inconclusive | NothingToJudge}
 */
export function sentIn(session: ClientSession): readonly [Generation, ...Generation[]] {
  notApplicableUnlessKnown(session);
  const [first, ...more] = generationsIn(session);
  if (first !== undefined) return [first, ...more];
  throw new Inconclusive(`it sent no generation in ${startOf(session)}: ${endOf(session)}`);
}

/** @throws {NothingToJudge} if the client does not know the task, or not in this protocol */
export function notApplicableUnlessKnown({ run, task }: ClientSession): void {
  if (run.answer?.unsupported !== true) return;
  throw new NothingToJudge(`the client does not know the task \`${task}\``);
}

/**
 * Returns the generations that the client requested in a start whose script took effect.
 *
 * @throws {Inconclusive | NothingToJudge}
 */
export function sentAndMet(session: ClientSession): readonly [Generation, ...Generation[]] {
  const sent = sentIn(session);
  if (session.met) return sent;
  const [{ exchange }] = sent;
  if (session.stream) throw new NothingToJudge('the client did not ask for a stream');
  if (session.script.answer?.kind === 'cut-body' && asksForStream(exchange)) {
    throw new NothingToJudge('the client asked for a stream, where a whole body was to be cut');
  }
  throw new Inconclusive(`what was to go wrong in ${startOf(session)} did not: ${endOf(session)}`);
}

/**
 * Returns the id of the client's stored response.
 *
 * @throws {Inconclusive | NothingToJudge} without one
 */
export function storedIn(session: ClientSession): string {
  notApplicableUnlessKnown(session);
  const id = session.exchanges.map(answerId).find((one) => one !== null);
  if (id == null) throw new Inconclusive(`nothing was stored: ${endOf(session)}`);
  return id;
}

/** Returns the error for a task that sent nothing about the stored response. */
export function sentNothingAbout(session: ClientSession): Inconclusive {
  const task = `the task \`${session.task}\` sent nothing about the response`;
  return new Inconclusive(`${task}: ${endOf(session)}`);
}

/** Judges that the client sent only one generation, regardless of its outcome. */
export function expectOneGeneration(session: ClientSession, why: string): void {
  const all = sentAndMet(session);
  const [first, second] = all;
  if (second === undefined) return;
  const { word } = session;
  const key = headerOf(second.exchange, 'idempotency-key');
  const named =
    key === null ? '' : '; it names an Idempotency-Key, which the interface does not know';
  const later = Math.round(second.at - first.at);
  throw new ExpectationFailed(
    `one generation${why}`,
    `${all.length} generations with the word ${word}, the second ${later} ms after the first${named}`,
    second.exchange,
  );
}

/** Names a start of the client, for example `client/reset (messages)`. */
export function startOf({ id, protocol }: ClientSession): string {
  return `${id.scenario} (${protocol})`;
}

/** Describes the end of the command, or the answer of the gateway's front. */
export function endOf({ run, front }: ClientSession): string {
  if (front !== undefined) return `its front ${front.said}`;
  if (run.endedBy === 'timeout') return 'its time was up';
  if (run.endedBy === 'quiet') return 'nothing more came of it';
  const said = run.answer?.error?.message ?? run.stderr.trim().split('\n').at(-1) ?? '';
  return `it ended with exit code ${run.exit ?? 'none'}${said === '' ? '' : `, and said: ${said.slice(0, 200)}`}`;
}
