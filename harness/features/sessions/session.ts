import type { Exchange, ExchangeId, Protocol } from '../../kernel/core/index.ts';
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
  'cancel',
  'delete',
  'count',
  'list',
] as const;

type ClientTask = (typeof clientTasks)[number];

/** One start of the client under test. */
export interface ClientStart {
  readonly protocol: Protocol;
  readonly task?: ClientTask;
  /** Default: false. */
  readonly stream?: boolean;
  /** Default: everything is served. */
  readonly script?: Script;
  /** Replaces the generated prompt. Has to contain the word. */
  readonly prompt?: (word: string) => string;
  /** Id of the response that the task is about. */
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

/** The line of JSON with which a client answers a task, or a generation instead of plain text. */
export interface ClientAnswer {
  readonly text?: string;
  readonly id?: string;
  readonly status?: string;
  readonly outcome?: ClientOutcome;
  readonly error?: { readonly status?: number; readonly message: string };
  readonly tokens?: number;
  readonly models?: readonly string[];
  readonly unsupported?: true;
}

/** One run of the command that starts the client. */
export interface CommandRun {
  /** Milliseconds since the start of the run. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null: a signal ended it. */
  readonly exit: number | null;
  /** Cause of the end: the process itself, or Touchstone because of silence, time or interruption. */
  readonly endedBy: 'itself' | 'quiet' | 'timeout' | 'interruption';
  readonly stdout: string;
  /** The end of stderr. */
  readonly stderr: string;
  /** Null: the client printed no such line. */
  readonly answer: ClientAnswer | null;
  /** Reason why the last line of the output is no valid answer, or null. */
  readonly problem: string | null;
}

/** Answer of the front of a gateway whose provider side (its back) is the client under test. */
export interface FrontAnswer {
  /** Scheme, host and port of the front. */
  readonly origin: string;
  readonly protocol: Protocol;
  /** `not-served`: unknown model, unknown path, or a broken gateway. */
  readonly kind: 'unreachable' | 'key-refused' | 'not-served' | 'served';
  /** In words: `answered 404 (there is no such model)`, or why no answer came. */
  readonly said: string;
}

/** One start of the client: the exchanges that the gateway saw, and the output of the command. */
export interface ClientSession {
  /** Its exchanges have the same id, with request numbers. */
  readonly id: ExchangeId;
  readonly protocol: Protocol;
  readonly task: ClientTask;
  readonly stream: boolean;
  readonly script: Script;
  readonly model: string;
  /** Word that only this prompt contains. */
  readonly word: string;
  /** Text that replaces a masked key. */
  readonly mask: string;
  /** Region that made the response of the task, or that the client's address belongs to. */
  readonly region: string;
  /** In the order of their starts. */
  readonly exchanges: readonly Exchange[];
  /** True if the client sent a request that the script applies to. */
  readonly met: boolean;
  /** Answer of the front, if the client is the back of a gateway. */
  readonly front?: FrontAnswer;
  /** Set if the gateway loses the word of the prompt: all generations of its time then belong to this session. */
  readonly isAlone?: true;
  /** Number of connections that the client opened, where they were counted. */
  readonly connections?: number;
  /** Longest time in milliseconds for which this process stood still meanwhile, if it did. */
  readonly stalledMs?: number;
  readonly run: CommandRun;
}
