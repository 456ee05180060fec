import {
  type Exchange,
  finite,
  flag,
  formatId,
  idShape,
  isObject,
  kind,
  listOf,
  objectOf,
  oneOf,
  orNull,
  type Protocol,
  parsed,
  protocols,
  sameId,
  text,
  whyOtherwise,
} from '../../kernel/core/index.ts';
import type { Recording } from '../../kernel/recordings/index.ts';
import type { Script } from './script.ts';

/** Tasks that a client can be started with. A client without tasks knows `generate` alone. */
export const clientTasks = [
  'generate',
  'store',
  'lookup',
  'input-items',
  'continue',
  'background',
  'recover',
  'converse',
  'cancel',
  'delete',
  'count',
  'list',
] as const;

type ClientTask = (typeof clientTasks)[number];

export interface ClientStart {
  readonly protocol: Protocol;
  readonly task?: ClientTask;
  /** Default: false. */
  readonly stream?: boolean;
  /** Default: everything is served. */
  readonly script?: Script;
  /** Replaces the generated prompt. Has to contain the word. */
  readonly prompt?: (word: string) => string;
  readonly id?: string;
  /** Counts the connections that the client opens. */
  readonly counted?: true;
  /** Index of the region whose address the client is given. Default: 0. */
  readonly at?: number;
  /** Index of the region that made the response of the task. Default: `at`. */
  readonly madeAt?: number;
}

/** Outcomes that a client reports for its answer. */
export const clientOutcomes = ['complete', 'interrupted', 'failed'] as const;
export type ClientOutcome = (typeof clientOutcomes)[number];

const isTrue = kind('true', (value): value is true => value === true);

const answerShape = objectOf(
  {},
  {
    text,
    texts: listOf(text),
    id: text,
    status: text,
    outcome: oneOf(...clientOutcomes),
    error: objectOf({ message: text }, { status: finite }),
    tokens: finite,
    models: listOf(text),
    unsupported: isTrue,
  },
);

/** The line of JSON with which a client answers a task, or a generation instead of plain text. */
export type ClientAnswer = ReturnType<typeof answerShape>;

const runShape = objectOf({
  /** Milliseconds since the start of the run. */
  startedAt: finite,
  endedAt: finite,
  /** Null: a signal ended it. */
  exit: orNull(finite),
  /** Cause of the end: the process itself, or Touchstone because of silence, time or interruption. */
  endedBy: oneOf('itself', 'quiet', 'timeout', 'interruption'),
  stdout: text,
  /** The end of stderr. */
  stderr: text,
  /** Null: the client printed no such line. */
  answer: orNull(answerShape),
  /** Reason why the last line of the output is no valid answer, or null. */
  problem: orNull(text),
});

export type CommandRun = ReturnType<typeof runShape>;

const frontShape = objectOf({
  /** Scheme, host and port of the front. */
  origin: text,
  protocol: oneOf(...protocols),
  /** `not-served`: unknown model, unknown path, or a broken gateway. */
  kind: oneOf('unreachable', 'key-refused', 'not-served', 'served'),
  /** In words: `answered 404 (there is no such model)`, or why no answer came. */
  said: text,
});

/** Answer of the front of a gateway whose provider side (its back) is the client under test. */
export type FrontAnswer = ReturnType<typeof frontShape>;

const sessionShape = objectOf(
  {
    /** Its exchanges have the same id, with request numbers. */
    id: idShape,
    protocol: oneOf(...protocols),
    task: oneOf(...clientTasks),
    stream: flag,
    /** A recorded script is only compared with the script of today's check, so any object is valid. */
    script: kind('a script', (value): value is Script => isObject(value)),
    model: text,
    /** Word that only this prompt contains. */
    word: text,
    /** Text that replaces a masked key. */
    mask: text,
    /** Region that made the response of the task, or that the client's address belongs to. */
    region: text,
    /** True if the client sent a request that the script applies to. */
    met: flag,
    run: runShape,
  },
  {
    /** Answer of the front, if the client is the back of a gateway. */
    front: frontShape,
    about: text,
    /** Set if the gateway loses the word of the prompt: all generations of its time then belong to this session. */
    isAlone: isTrue,
    /** Number of its first request, if the start is the second attempt. Default: 0. */
    from: finite,
    /** Number of connections that the client opened, where they were counted. */
    connections: finite,
    /** Longest time in milliseconds for which this process stood still meanwhile, if it did. */
    stalledMs: finite,
  },
);

/** One start of the client: the exchanges that the gateway saw, and the output of the command. */
export interface ClientSession extends ReturnType<typeof sessionShape> {
  /** In the order of their starts. */
  readonly exchanges: readonly Exchange[];
}

/** Formats a start of the client as one line of JSON, without its exchanges. Members have one order. */
export function sessionLine(session: ClientSession): string {
  return written(sessionShape({ ...session, id: formatId(session.id) }, 'session'));
}

function written({ id, ...session }: ReturnType<typeof sessionShape>): string {
  return JSON.stringify({ session: { id: formatId(id), ...session } });
}

const lineShape = objectOf({ session: sessionShape });

/** Explains how the line of a start differs from the one that is written for its content. Null if it does not. */
export function whyOtherStart(line: string): string | null {
  return whyOtherwise(line, written(lineShape(parsed(line), 'line').session));
}

/** Reads the starts of a recording, each by its last line, with their exchanges. @throws {Error} if a line is invalid */
export function sessionsIn({
  sessions,
  exchanges,
}: Pick<Recording, 'sessions' | 'exchanges'>): readonly ClientSession[] {
  const read = sessions.map((line) => lineShape(parsed(line), 'line').session);
  const last = new Map(read.map((session) => [formatId(session.id), session]));
  return [...last.values()].map((session) => {
    const { from = 0 } = session;
    const own = exchanges.filter(
      ({ id }) =>
        id.request !== null && id.request >= from && sameId({ ...id, request: null }, session.id),
    );
    return {
      ...session,
      exchanges: own.sort((one, other) => one.times.started - other.times.started),
    };
  });
}
