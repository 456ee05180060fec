import {
  type ClientSession,
  generationsIn,
  headerOf,
} from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  asksForStream,
  contentOf,
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  json,
  NothingToJudge,
  textOfItem,
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
  requireScriptMet(session);
  return sent;
}

/**
 * Checks that the script of a start took effect.
 *
 * @throws {Inconclusive | NothingToJudge} if it did not
 */
export function requireScriptMet(session: ClientSession): void {
  notApplicableUnlessKnown(session);
  const { lookups, skips, answer } = session.script;
  if (session.met) return;
  if (lookups !== undefined) throw new NothingToJudge('it looks nothing up');
  const [{ exchange }] = sentIn(session);
  if (skips !== undefined) throw new NothingToJudge('it generates once');
  if (session.stream) throw new NothingToJudge('the client did not ask for a stream');
  if (answer?.kind === 'cut-body' && asksForStream(exchange)) {
    throw new NothingToJudge('the client asked for a stream, where a whole body was to be cut');
  }
  throw new Inconclusive(
    `the client did not meet the fault of this start (${startOf(session)}): ${endOf(session)}`,
  );
}

/**
 * Returns the generation that the script failed in a task that stores a response, or the first that may be stored.
 *
 * @throws {Inconclusive | NothingToJudge}
 */
export function storedGeneration(session: ClientSession): Generation {
  const all = sentIn(session);
  const stored = all.filter(({ body }) => json.at(json.parsed(body), 'store') !== false);
  const background = all.filter(({ body }) => json.at(json.parsed(body), 'background') === true);
  const mine = stored.length > 0 ? stored : background.length > 0 ? background : all;
  return mine.find(({ exchange }) => isFailed(exchange, session)) ?? mine[0] ?? all[0];
}

/** Returns the id of the response that the first of these starts stored, if any. */
export function idMadeIn([stored]: readonly ClientSession[]): string | null {
  if (stored === undefined || generationsIn(stored).length === 0) return null;
  return contentOf(storedGeneration(stored).exchange).id;
}

/**
 * Returns the generation with which the client tried a failed one again, or null. A client may send several
 * generations for one task: a title beside the answer, a call of a tool before it. One that it also sends where
 * everything is served is no second try, and neither is one that began before the failure.
 *
 * @param ordinary the start of the same form in which everything was served
 * @throws {Inconclusive | NothingToJudge}
 */
export function secondTry(session: ClientSession, ordinary: ClientSession): Generation | null {
  const all = sentAndMet(session);
  const isStored = session.task !== 'generate';
  const failed = isStored
    ? storedGeneration(session)
    : (all.find(({ exchange }) => isFailed(exchange, session)) ?? all[0]);
  const later = all.filter(({ at }) => at > failed.at);
  const usual = generationsIn(ordinary).map((one) => questionOf(one, ordinary));
  const same = later.find((one) => {
    const asked = questionOf(one, session);
    const before = all.filter(({ at }) => at <= one.at);
    const times = before.filter((other) => questionOf(other, session) === asked).length;
    return times > Math.max(1, usual.filter((other) => other === asked).length);
  });
  if (same !== undefined || all.length <= Math.max(1, usual.length)) return same ?? null;
  const { failure, times } = failed.exchange;
  // A client that leaves may ask again before the gateway sees the end of the connection.
  const isLeft = failure?.kind === 'reset';
  return later.find(({ at }) => isLeft || at >= times.ended) ?? null;
}

/** True if the client got no whole answer. */
export function isFailed(exchange: Exchange, { script }: ClientSession): boolean {
  const { response, failure } = exchange;
  if (response === null || failure !== null || response.status >= 300) return true;
  if (exchange.socket !== null) return wholeText(exchange) === null;
  const { answer } = script;
  if (answer === undefined || !('events' in answer)) return false;
  // An error may follow the last event.
  const events = answerOf(exchange).events.length;
  return events > 0 && events <= answer.events + 1;
}

/** Members that differ where the same question is asked in another form. */
const ofForm = ['stream', 'stream_options', 'store', 'background'];

/** Returns a question without its form, and without what is drawn for each start. */
function questionOf({ body }: Generation, { word, model, mask }: ClientSession): string {
  const value = json.parsed(body);
  const text = json.isObject(value)
    ? JSON.stringify(value, (name, member) => (ofForm.includes(name) ? undefined : member))
    : body;
  return [word, model, mask].reduce((rest, drawn) => rest.replaceAll(drawn, ''), text);
}

/** Judges that the client did not send a generation again, regardless of its outcome. */
export function expectOneGeneration(
  session: ClientSession,
  ordinary: ClientSession,
  why: string,
): void {
  const again = secondTry(session, ordinary);
  if (again === null) return;
  const all = sentIn(session);
  const key = headerOf(again.exchange, 'idempotency-key');
  const named =
    key === null ? '' : '; it names an Idempotency-Key, which the interface does not know';
  const later = Math.round(again.at - all[0].at);
  throw new ExpectationFailed(
    `one generation${why}`,
    `${all.length} generations with the word ${session.word}, one ${later} ms after the first${named}`,
    again.exchange,
  );
}

/** Milliseconds for which this process may stand still: a client bears longer silence. */
const borneStallMs = 1_000;

/** @throws {Inconclusive} if Touchstone wrote the answer late: the client may have given up for that reason */
export function assumeInTime({ stalledMs = 0 }: ClientSession): void {
  if (stalledMs <= borneStallMs) return;
  const detail = `this machine stood still for ${stalledMs} ms in the middle of it`;
  throw new Inconclusive(detail, null, 'local-resources');
}

/** Names a start of the client, for example `client/reset (messages)`, and its task if it has another. */
export function startOf({ id, protocol, task }: ClientSession): string {
  return `${id.scenario} (${task === 'generate' ? protocol : task})`;
}

/** Describes the end of the command, or the answer of the gateway's front. */
export function endOf({ run, front }: ClientSession): string {
  if (front !== undefined) return `its front ${front.said}`;
  if (run.endedBy === 'timeout') return 'its time was up';
  if (run.endedBy === 'quiet') return 'nothing more came of it';
  const said = run.answer?.error?.message ?? run.stderr.trim().split('\n').at(-1) ?? '';
  return `it ended with exit code ${run.exit ?? 'none'}${said === '' ? '' : `, and said: ${said.slice(0, 200)}`}`;
}

/** Returns the text of a stored response if the answer shows its end. */
export function wholeText(exchange: Exchange): string | null {
  const ended = answerOf(exchange).events.map(({ json: event }) => json.at(event, 'response'));
  const [response] = [...ended, answerOf(exchange).value].filter(
    (one) => json.text(one, 'status') === 'completed',
  );
  if (response === undefined) return null;
  return json
    .list(response, 'output')
    .map((item) => textOfItem(item))
    .join('');
}

/** True if the client fetched this text: by a lookup, or by taking a stream up again. */
export function isFetched({ exchanges }: ClientSession, text: string): boolean {
  const fetched = exchanges.filter(({ request }) => request.method === 'GET').map(wholeText);
  return fetched.some((one) => one !== null && one.trim() === text);
}
