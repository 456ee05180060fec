import {
  type Exchange,
  formatId,
  formatSender,
  isObject,
  operationRows,
  parsed,
  type SenderId,
  sameId,
  textAt,
} from '../../core/index.ts';
import {
  answeredAs,
  ExpectationFailed,
  outcome,
  requestInWords,
  turnsOf,
} from '../../judge/index.ts';
import {
  type Again,
  askedAgain,
  asksToGenerate,
  contentOf,
  endsTurn,
  type Fields,
  generates,
  type OperationName,
  operationNames,
  type RawClient,
  storedIdIn,
} from '../../protocols/index.ts';
import type { Target } from '../../targets/index.ts';
import { brokeUnanswered } from '../../wire/index.ts';
import { scenariosCalled } from '../registry.ts';
import {
  type JudgedOn,
  type Scenario,
  scenario,
  scenariosIn,
  withPrerequisites,
} from '../scenario.ts';
import {
  type Answers,
  answersIn,
  firstAttemptOf,
  gotNoAnswer,
  isAnswered,
  operationsIn,
  tries,
} from './answers.ts';
import { type Known, responsesIn, sharesAll } from './stored-state.ts';

// A single request without an answer proves nothing, because the gateway may have been busy. Several attempts
// without an answer, while other requests are answered, show that the gateway does not serve the request.

/** Upper bounds on the retries at the end of a run, including their control requests. */
const most = {
  free: { requests: 60, generations: 0, isPaid: false, isAlone: false },
  /** Retries that cost a generation if they are served. */
  paid: { requests: 12, generations: 8, isPaid: true, isAlone: false },
  /** Retries that have to be alone in flight, because the gateway ended at the first attempt. */
  'free-alone': { requests: 30, generations: 0, isPaid: false, isAlone: true },
  'paid-alone': { requests: 8, generations: 8, isPaid: true, isAlone: true },
} as const;

type Kind = keyof typeof most;

/** All attempts of one request, and its retries at the end of the run. */
function triesOf(exchange: Exchange, all: readonly Exchange[]): readonly Exchange[] {
  const request = firstAttemptOf(exchange.id);
  const tries = all.filter(
    ({ id }) => firstAttemptOf(id) === request || (isRepeat(id) && id.lane === request),
  );
  return tries.some(({ id }) => sameId(id, exchange.id)) ? tries : [exchange, ...tries];
}

/**
 * True for the scenarios that only retry, and for their requests and controls. They are sent even to a gateway that was
 * given up because it ended too often or fell silent: they have separate bounds, and show which request causes that.
 */
export function isRepeat({ origin }: Pick<SenderId, 'origin'>): boolean {
  return origin === 'asked-again';
}

interface Undecided {
  readonly check: string;
  /** True if the requirement of the check is about the exchange. */
  readonly isExpected: boolean;
  /** True if the exchange is one that a gateway may defend itself against. */
  readonly isHostile: boolean;
  readonly target: Target;
}

/** Returns a failure if no attempt got an answer while other requests did, or null. */
export function neverServed(
  exchange: Exchange,
  { check, isExpected, isHostile, target }: Undecided,
  exchanges: readonly Exchange[],
): ExpectationFailed | null {
  const answers = answersIn(exchanges, exchange.about.region);
  const everywhere = answersIn(exchanges, null);
  const isOwn = (operation: OperationName): boolean => operationRows.get(operation) === check;
  // Applies to any exchange that shows it: the loss may have hit a request before the operation.
  for (const operation of operationNames.filter(isOwn)) {
    const tried = answers.unanswered.get(operation) ?? [];
    const failure = silenceOf(tried, answers, target) ?? endsAt(operation, everywhere, exchanges);
    if (failure !== null) return failure;
  }
  const tried = triesOf(exchange, answers.turns);
  const own = new Set(tried.map(({ id }) => formatId(id)));
  // An operation that stayed unanswered for other requests, too, fails the check of that operation. An operation
  // that only this request used, perhaps because it has to be refused, fails here.
  const { unanswered } = answeredAs(exchange) === 'ended' ? everywhere : answers;
  const isOfOperation = turnsOf(exchange)
    .flatMap((turn) => operationsIn(turn))
    .some((operation) => unanswered.get(operation)?.some(({ id }) => !own.has(formatId(id))));
  if (!isExpected || isOfOperation) return null;
  const end = tried.find((one) => endsAlone(one, exchanges, isHostile));
  if (end !== undefined) return ended(end, answers);
  return (
    alwaysBroken(tried, answers) ??
    silenceOf(tried, answers, target) ??
    silenceOf(alikeWhileRunning(exchange, answers, exchanges), answers, target, leastAlike)
  );
}

/** Responses that run, at least, on which an act gets no answer: it cannot be repeated once a run has ended. */
const leastAlike = 2;

/**
 * Returns the acts like this one on running responses. If they are few, others were answered during each of them: the
 * first hostile request waits for them, and holds up all others.
 */
function alikeWhileRunning(
  { about: { operation } }: Exchange,
  { turns }: Answers,
  exchanges: readonly Exchange[],
): readonly Exchange[] {
  const responses = responsesIn(exchanges);
  const responseOf = ({ about, request }: Exchange): Known | undefined =>
    responses.get(storedIdIn(about.operation, request.url) ?? '');
  const acts = turns.filter((turn) => {
    const by = turn.about.operation === operation ? responseOf(turn)?.by : undefined;
    return by?.region === turn.about.region && sharesAll(turn.about.key, by.key);
  });
  const alike = acts.filter((act) => {
    const known = responseOf(act);
    // Without an answer to a lookup, nothing shows the end of a run.
    const end = known?.ended ?? known?.deleted ?? Number.POSITIVE_INFINITY;
    if (gotNoAnswer(act)) return act.times.started < end;
    // While another act on the response got no answer, the run may have ended.
    const others = acts.filter((one) => gotNoAnswer(one) && responseOf(one) === known);
    return act.times.ended < Math.min(end, ...others.map(({ times }) => times.ended));
  });
  const isAlone = ({ times: { started, ended } }: Exchange): boolean =>
    !turns.some((one) => isAnswered(one) && one.times.started > started && one.times.ended < ended);
  return alike.length < tries && alike.some(isAlone) ? [] : alike;
}

/** Expected number of requests that break so often by chance, above which no check fails. */
const mostByChance = 1 / 20;

/** Fails a gateway that breaks the connection at each attempt of one request and answers others. */
function alwaysBroken(tried: readonly Exchange[], answers: Answers): ExpectationFailed | null {
  const last = tried.at(-1);
  if (last === undefined || tried.length < 2 || !tried.every(brokeUnanswered)) return null;
  const { turns, answered, breakRate } = answers;
  if (turns.length * breakRate ** tried.length > mostByChance || answered === 0) return null;
  return unserved(
    last,
    `the gateway broke the connection at each of ${tried.length} attempts, while ${answered} other requests were answered: ${outcome(last)}`,
  );
}

/**
 * Returns a failure if the gateway ends at an operation. Considers all regions, because one process may serve them all.
 */
function endsAt(
  operation: OperationName,
  everywhere: Answers,
  exchanges: readonly Exchange[],
): ExpectationFailed | null {
  const tried = everywhere.unanswered.get(operation) ?? [];
  if (everywhere.isPartOfAnother(operation)) return null;
  const end = tried.find((one) => endsAlone(one, exchanges, false));
  if (end !== undefined) return ended(end, everywhere);
  return endedAlways(everywhere.atEveryEnd(operation), everywhere);
}

/** Returns a failure if enough attempts of one request got no answer, or null. */
function silenceOf(
  all: readonly Exchange[],
  answers: Answers,
  target: Target,
  least: number = tries,
): ExpectationFailed | null {
  if (all.length < least || !all.every((one) => answeredAs(one) === 'nothing')) return null;
  if (!answers.areAloneUnanswered(all) || isSlow(answers.turns, target)) return null;
  const last = all.at(-1);
  if (last === undefined) return null;
  return unserved(
    last,
    `none of them came to one, while ${answers.answered} other requests were answered: ${outcome(last)}`,
    ` in one of ${all.length} tries`,
  );
}

/**
 * True if the gateway ended at a request that was alone in flight, as every retry here is. A first attempt counts only
 * if it is hostile, got no part of an answer, and was followed by none in its region.
 */
function endsAlone(exchange: Exchange, all: readonly Exchange[], isHostile: boolean): boolean {
  if (!isAloneAtEnd(exchange, all)) return false;
  if (isRepeat(exchange.id)) return true;
  if (!isHostile || hasPartOfAnswer(exchange)) return false;
  const { started, ended } = exchange.times;
  const answered = all.filter(
    (one) => isAnswered(one) && one.about.region === exchange.about.region,
  );
  const wasThere = answered.some(({ times }) => times.ended < started);
  return wasThere && !answered.some(({ times }) => times.started > ended);
}

/** True if the gateway ended at a request while no other was in flight. */
function isAloneAtEnd(exchange: Exchange, all: readonly Exchange[]): boolean {
  if (answeredAs(exchange) !== 'ended') return false;
  const { ended } = exchange.times;
  return all.every(
    ({ id, times }) => sameId(id, exchange.id) || times.ended < ended || times.started > ended,
  );
}

/** True if a part of an answer came. A WebSocket may answer other frames before the one at which the gateway ends. */
function hasPartOfAnswer({ response, socket }: Exchange): boolean {
  return response !== null && socket === null;
}

/**
 * Returns a failure for the request at which a gateway ended while nothing else was in flight, or null. An ordinary
 * request counts only as a retry: a restart may hit any first attempt.
 */
export function endedAlone(exchanges: readonly Exchange[]): ExpectationFailed | null {
  const end =
    exchanges.find((one) => endsAlone(one, exchanges, isOfHostile(one))) ??
    hostileAtEveryEnd(exchanges);
  return end === undefined ? null : ended(end, answersIn(exchanges, null));
}

/** Returns a hostile request at which a gateway that restarts ended, if each of `tries` ends or more came so. */
function hostileAtEveryEnd(exchanges: readonly Exchange[]): Exchange | undefined {
  const ends = exchanges.filter(
    (one) => isAloneAtEnd(one, exchanges) && isOfHostile(one) && !hasPartOfAnswer(one),
  );
  const isEvery = ends.length === answersIn(exchanges, null).ends;
  return isEvery && ends.length >= tries ? ends.at(-1) : undefined;
}

/** True for an exchange of a scenario that a gateway may defend itself against. */
function isOfHostile({ id }: Exchange): boolean {
  return scenariosCalled([formatSender({ ...id, region: null })]).some(
    ({ hostile }) => hostile !== null,
  );
}

function ended(end: Exchange, answers: Answers): ExpectationFailed {
  const again = isRepeat(end.id) ? ', as it did before' : '';
  return unserved(
    end,
    `the gateway ended at it${again}, when nothing else was under way; ${answers.answered} other requests were answered`,
  );
}

function endedAlways(ends: readonly Exchange[], answers: Answers): ExpectationFailed | null {
  const turn = ends.at(-1);
  if (turn === undefined) return null;
  return unserved(
    turn,
    `the gateway ended ${ends.length} times, each time with such a request under way, and answered none; ${answers.answered} other requests were answered`,
  );
}

function unserved(exchange: Exchange, actual: string, within = ''): ExpectationFailed {
  const expected = `an answer to ${requestInWords(exchange)}${within}`;
  return new ExpectationFailed(expected, actual, exchange, 'unserved');
}

/** Share of late answers above which a gateway counts as slow. */
const slowShare = 1 / 20;

/** True if so many answers are slow that a timeout proves little. */
function isSlow(turns: readonly Exchange[], { limits }: Target): boolean {
  const answered = turns.filter(isAnswered);
  const late = answered.filter(
    ({ times: { started, headers } }) =>
      headers !== null && headers - started > limits.timeoutMs / 2,
  );
  return late.length > answered.length * slowShare;
}

/** True if later requests may decide the exchange: it got no answer, or was not sent. */
export function isLeftOpen(exchange: Exchange): boolean {
  return gotNoAnswer(exchange) || ['unreachable', 'proxy'].includes(exchange.failure?.kind ?? '');
}

/**
 * Scenarios that retry requests without an answer after all others, until each was attempted three times. They send
 * nothing if the gateway answered everything.
 */
const free = asking('free', {});
const paid = asking('paid', {});
// Retries that have to be alone in flight run after all others.
const freeAlone = asking('free-alone', { free });
const paidAlone = asking('paid-alone', { paid, freeAlone });

/** Names of the scenarios whose retries cost a generation when they are served. */
export const paidAgain: readonly string[] = [paid, paidAlone].map(({ name }) => name);

/** Checks that fail if generations of some kind are never served. */
const paidFor = new Set(
  operationNames.filter(generates).flatMap((name) => operationRows.get(name) ?? []),
);

/**
 * Returns the scenarios that retry for a check. Paid retries are made only for a check that is about a generation
 * or judged on hostile requests.
 */
export function askedAgainFor(check: string, on: JudgedOn): readonly Scenario[] {
  const isHostile = [...withPrerequisites(scenariosIn(on))].some(({ hostile }) => hostile !== null);
  return paidFor.has(check) || isHostile ? [free, freeAlone, paid, paidAlone] : [free, freeAlone];
}

function asking(kind: Kind, after: Readonly<Record<string, Scenario>>): Scenario {
  const { requests, generations, isAlone } = most[kind];
  const cost = {
    requests,
    spare: requests,
    generations: 0,
    refused: generations,
    outputTokens: null,
  };
  // `hostile` reserves all slots for these retries.
  const alone = isAlone ? ({ hostile: 'input' } as const) : {};
  return scenario(`asked-again/${kind}`, { last: true, cost, after, ...alone }, async (io) => {
    const sent = await io.sent();
    const chosen = chosenOf(sent, io.target, kind);
    if (chosen.length === 0) return;
    if (isAlone) {
      for (const { unanswered, again } of chosen) {
        const { raw } = io.lane(firstAttemptOf(unanswered.id));
        // Stops at the first request without an answer: it is the one at which the gateway ends.
        if (again !== null && gotNoAnswer(await sendAgain(raw, again))) return;
      }
      return;
    }
    const other = someServed(sent, io.target);
    await Promise.all(
      chosen.map(async ({ unanswered, again, times }) => {
        const { raw } = io.lane(firstAttemptOf(unanswered.id));
        for (let n = 0; n < times && again !== null; n++) {
          if (!gotNoAnswer(await sendAgain(raw, again))) return;
        }
        const beside = io.lane(`beside-${firstAttemptOf(unanswered.id)}`);
        if (other === null) await beside.lists.list();
        else await beside.raw.send(other.call, other.options);
      }),
    );
  });
}

interface Chosen {
  readonly unanswered: Exchange;
  readonly again: AgainOf | null;
  readonly times: number;
}

/** Returns the requests to retry, within the announced bounds. */
function chosenOf(sent: readonly Exchange[], target: Target, kind: Kind): readonly Chosen[] {
  const { isAlone, isPaid, requests } = most[kind];
  let left: number = requests;
  // One process may serve all regions.
  const places = isAlone ? [null] : target.regions.map(({ name }) => name);
  const wanted = places.flatMap((region) => wantedIn(answersIn(sent, region), kind, target));
  return wanted.flatMap(({ unanswered, times }) => {
    const again = againOf(unanswered, sent, target);
    const { length } = again?.frames ?? [];
    const generates = again !== null && (length > 0 || asksToGenerate(again.call));
    // One more request is sent as a control.
    const needed = times * Math.max(1, length) + (isAlone ? 0 : 1);
    if (generates !== isPaid || needed > left) return [];
    left -= needed;
    return { unanswered, again, times: again === null ? 0 : times };
  });
}

interface AgainOf extends Again {
  /** Frames to send again for a turn of a socket, with the turn that it continues first. */
  readonly frames: readonly Fields[];
}

function againOf(unanswered: Exchange, sent: readonly Exchange[], target: Target): AgainOf | null {
  const again = askedAgain(unanswered, target);
  if (again === null || unanswered.socket === null)
    return again === null ? null : { ...again, frames: [] };
  const frame = frameOf(unanswered);
  if (frame === null) return null;
  const { previous_response_id: continued } = frame;
  if (continued === undefined) return { ...again, frames: [frame] };
  const before = sent
    .filter(({ id }) => sameId(id, unanswered.id))
    .flatMap(turnsOf)
    .find((turn) => contentOf(turn).id === continued);
  const first = before === undefined ? null : frameOf(before);
  return first === null ? null : { ...again, frames: [first, frame] };
}

function frameOf({ socket }: Exchange): Fields | null {
  const own = socket?.frames.find(({ from }) => from === 'us');
  const json = own === undefined ? null : parsed(new TextDecoder().decode(own.data));
  return isObject(json) ? json : null;
}

async function sendAgain(raw: RawClient, { call, options, frames }: AgainOf): Promise<Exchange> {
  if (call.expects !== 'socket') return raw.send(call, options);
  const session = await raw.open(call, options);
  let id: string | null = null;
  for (const frame of session.opened ? frames : []) {
    session.send(id === null ? frame : { ...frame, previous_response_id: id });
    await session.receive(({ json }) => {
      id = textAt(json, 'response.id') ?? id;
      return endsTurn(textAt(json, 'type'));
    });
  }
  const exchange = await session.exchange();
  return turnsOf(exchange).at(-1) ?? exchange;
}

/**
 * Returns the unanswered requests and how often to retry each, those of operations that were never served first. A free
 * request is retried at least once even if it was attempted often enough, because nothing else is in flight then.
 */
function wantedIn(
  answers: Answers,
  kind: Kind,
  target: Target,
): { readonly unanswered: Exchange; readonly times: number }[] {
  const { isAlone, isPaid } = most[kind];
  const inKind = (turn: Exchange): boolean => (answeredAs(turn) === 'ended') === isAlone;
  const times = (tried: number): number => (isAlone ? 1 : Math.max(isPaid ? 0 : 1, tries - tried));
  // The operation that ends a gateway was in flight at more exits than others.
  const names = [...operationNames].sort(
    (one, other) => answers.atEnds(other).length - answers.atEnds(one).length,
  );
  const ofOperations = names.flatMap((name) => {
    const unanswered = answers.unanswered.get(name) ?? [];
    const own = unanswered.filter(inKind);
    const last = own.findLast((turn) => askedAgain(turn, target) !== null) ?? own.at(-1);
    return last === undefined ? [] : { unanswered: last, times: times(unanswered.length) };
  });
  const others = answers.turns.filter(
    (turn) =>
      gotNoAnswer(turn) &&
      !answers.wasAnswered(turn) &&
      inKind(turn) &&
      !operationsIn(turn).some((one) => answers.unanswered.has(one)),
  );
  const all = [...ofOperations, ...others.map((unanswered) => ({ unanswered, times: times(1) }))];
  // The last of several attempts represents the request.
  return [...new Map(all.map((one) => [firstAttemptOf(one.unanswered.id), one])).values()];
}

function someServed(sent: readonly Exchange[], target: Target): Again | null {
  for (const exchange of sent) {
    const { about, request, socket } = exchange;
    if (request.method !== 'GET' || about.key !== 'owner' || about.protocol === 'probe') continue;
    if (socket !== null || answeredAs(exchange) !== 'served') continue;
    const again = askedAgain(exchange, target);
    // An upgrade that was answered like a plain request does not count.
    if (again !== null && again.call.expects !== 'socket') return again;
  }
  return null;
}
