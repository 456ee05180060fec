import {
  type ClientScenario,
  type ClientSession,
  type ClientStart,
  clientScenario,
  generationsIn,
  type Script,
} from '../../harness/features/sessions/index.ts';
import { designs, judgeEach, NothingToJudge, type Protocol } from '../../harness/index.ts';
import { startOf } from './judged.ts';
import { everyStart } from './scenarios.ts';
import { conversed, failedTurns } from './turns.ts';

// Situations in which something fails: task, form, failing request and failure, chosen by a covering design.

const kinds = {
  lost: ['reset', 'no-answer'],
  cut: ['cut-body', 'cut-stream', 'stall'],
  ended: ['ends-early', 'error-in-stream', 'failed-in-stream'],
  /** Statuses that each protocol is tried with. The others are tried in one protocol at least. */
  told: ['400', '401', '404', '429', '500', '502', '503', '504'],
  more: ['403', '408', '409', '413', '422', '529'],
} as const;
const failures = Object.values(kinds).flat();

type Kind = keyof typeof kinds;
export type SituationFailure = (typeof failures)[number];

const isOf = (kind: Kind, failure: SituationFailure): boolean =>
  kinds[kind].some((one) => one === failure);
const isStatus = (failure: SituationFailure): boolean =>
  isOf('told', failure) || isOf('more', failure);
const isOfStream = (failure: SituationFailure): boolean => /stream|stall|ends/.test(failure);
/** True for a status after which clients are known to try again. */
const isBusy = (failure: SituationFailure): boolean => /^(408|409|429|5..)$/.test(failure);

const named = <Name>(failure: Name) =>
  failure === 'failed-in-stream' ? 'error-in-stream' : failure;

/** Tasks, and the requests of them that may fail. */
const places = [
  ['generate', 'generation'],
  ['generate', 'second'],
  ['store', 'generation'],
  ['continue', 'generation'],
  ['background', 'generation'],
  ['background', 'lookup'],
  ['lookup', 'lookup'],
  ['recover', 'generation'],
  ['recover', 'recovery'],
] as const satisfies readonly (readonly [ClientStart['task'], string])[];

interface ClientSituation {
  readonly protocol: Protocol;
  readonly task: (typeof places)[number][0];
  readonly of: (typeof places)[number][1];
  readonly stream: boolean;
  readonly failure: SituationFailure;
  /** True for a status with `Retry-After`. */
  readonly hints: boolean;
}

/** Returns all situations that a client with these protocols can be put into. */
function situationsAt(protocols: readonly Protocol[], tasks: boolean): readonly ClientSituation[] {
  const both = [false, true];
  const all = protocols.flatMap((protocol) =>
    places.flatMap(([task, of]) =>
      failures.flatMap((failure) =>
        both.flatMap((stream) =>
          both.map((hints) => ({ protocol, task, of, stream, failure, hints })),
        ),
      ),
    ),
  );
  return all.filter(({ protocol, task, of, stream, failure, hints }) => {
    if (task !== 'generate' && !(tasks && protocol === 'responses')) return false;
    if (stream ? failure === 'cut-body' : isOfStream(failure)) return false;
    if (failure === 'failed-in-stream' && protocol !== 'responses') return false;
    if (stream && (protocol === 'systemone' || /background|lookup/.test(task))) return false;
    if (!stream && task === 'recover') return false;
    if (hints && !isBusy(failure)) return false;
    const isTried = isBusy(failure) || (of === 'recovery' && failure === '404');
    return task === 'generate' || isTried || !isStatus(failure);
  });
}

/** Returns what is tried by a situation, in words: pairs, mostly. */
function triedBy({
  protocol,
  task,
  of,
  stream,
  failure,
  hints,
}: ClientSituation): readonly string[] {
  const kind = isStatus(failure)
    ? 'told'
    : (['lost', 'cut'] as const).find((one) => isOf(one, failure));
  const pairs = [`${task} ${of} ${kind}`, `${task} ${of} ${stream}`, `${stream} ${hints}`];
  if (task !== 'generate') return [...pairs, `${failure} of a task`];
  if (of === 'second') return pairs;
  const own = isOf('more', failure) ? [] : [`${protocol} ${failure}`];
  return [...pairs, ...own, failure, `${protocol} ${kind} ${stream}`];
}

const designed = new Map<string, readonly ClientSituation[]>();

function designOf(protocols: readonly Protocol[], tasks: boolean): readonly ClientSituation[] {
  const key = `${protocols} ${tasks}`;
  const design = designed.get(key) ?? designs.covering(situationsAt(protocols, tasks), triedBy);
  designed.set(key, design);
  return design;
}

export const failing = Object.fromEntries(
  failures.map((failure) => [
    failure,
    scenarioOf(
      isStatus(failure) ? `status-${failure}` : failure,
      isOfStream(failure) ? { streams: true } : {},
      (one) => one.task === 'generate' && named(one.failure) === failure,
    ),
  ]),
) as Readonly<Record<SituationFailure, ClientScenario<readonly ClientSession[]>>>;

export const failingTasks = scenarioOf(
  'failing-tasks',
  { protocols: ['responses'], tasks: true },
  ({ task }) => task !== 'generate',
);

function scenarioOf(
  name: string,
  options: Parameters<typeof clientScenario>[1],
  isPlayed: (situation: ClientSituation) => boolean,
): ClientScenario<readonly ClientSession[]> {
  return clientScenario(
    `client/${name}`,
    { ...options, starts: (...client) => designOf(...client).filter(isPlayed).length },
    ({ start, protocol, served }) => {
      const own = designOf(served.protocols, served.tasks).filter(isPlayed);
      const starts = own
        .filter((one) => one.protocol === protocol)
        .flatMap((one) => putInto(one, served) ?? []);
      return Promise.all(starts.map((one) => start(one)));
    },
  );
}

/** Returns how a client is put into a situation, or null if this client cannot be. */
function putInto(
  { protocol, task, of, stream, failure, hints }: ClientSituation,
  { sessions, stored }: Parameters<Parameters<typeof clientScenario>[2]>[0]['served'],
): Omit<ClientStart, 'protocol'> | null {
  const isTwice = (one: ClientSession): boolean =>
    one.protocol === protocol && generationsIn(one).length > 1;
  if (of === 'second' && !sessions.some(isTwice)) return null;
  const answer = answerOf(failure, hints, task === 'recover' ? 7 : 4);
  const script: Script =
    of === 'second'
      ? { answer, skips: 1 }
      : of === 'recovery'
        ? { answer: { kind: 'cut-stream', events: 7 }, recovery: answer }
        : of === 'lookup' && !('events' in answer) && answer.kind !== 'refused'
          ? { lookups: [answer, { state: 'completed' }] }
          : { answer };
  if (task !== 'continue' && task !== 'lookup') return { task, stream, script };
  const id = stored?.run.answer?.id;
  return id === undefined ? null : { task, stream, script, id };
}

/** @param events number of events after which a stream is cut */
function answerOf(
  failure: SituationFailure,
  hints: boolean,
  events: number,
): NonNullable<Script['answer']> {
  switch (failure) {
    case 'reset':
    case 'no-answer':
    case 'cut-body':
      return { kind: failure };
    case 'cut-stream':
    case 'stall':
      return { kind: failure, events };
    case 'ends-early':
    case 'error-in-stream':
    case 'failed-in-stream':
      return { kind: failure, events: 6 };
    default:
      return {
        kind: 'status',
        status: Number(failure),
        always: true,
        ...(hints ? { retryAfter: '0' } : {}),
        ...(failure === '502' ? { html: true } : {}),
      };
  }
}

/** Returns the failure of a start, or null. */
export function failureIn({ script }: ClientSession): string | null {
  const { answer, lookups = [], recovery } = script;
  const [lookup] = lookups.flatMap((one) => ('kind' in one ? one : []));
  const failed = recovery ?? lookup ?? answer ?? null;
  return failed?.kind === 'status' ? `${failed.status}` : named(failed?.kind ?? null);
}

/** Binds a judgement to each start, and to each turn, that fails so. */
export function onEach(
  failure: SituationFailure | 'hang-up',
  judge: (session: ClientSession, ordinary: ClientSession) => unknown,
) {
  return {
    on: [...(failure === 'hang-up' ? [] : [failing[failure]]), conversed, everyStart],
    judge: (sessions: readonly ClientSession[], common: ClientSession) => {
      const failed = sessions.filter((session) => failureIn(session) === failure);
      const points = failed.flatMap((session) => {
        if (session.task === 'converse') return failedTurns(session, sessions);
        const ordinary = [common, ...sessions].find(
          ({ id, stream }) => id.scenario === common.id.scenario && stream === session.stream,
        );
        return ordinary === undefined ? [] : { session, ordinary };
      });
      if (points.length === 0) throw new NothingToJudge('no start failed so');
      return judgeEach(
        points,
        ({ session }) => startOf(session),
        ({ session, ordinary }) => judge(session, ordinary),
        { noun: 'start', needsAll: true },
      );
    },
  };
}
