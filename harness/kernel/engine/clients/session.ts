import type { Exchange, ExchangeId, Protocol } from '../../core/index.ts';
import type { Script } from './script.ts';

/** Tasks that a client can be asked to do. A client without tasks knows `generate` alone. */
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
  /** Default: `generate`. */
  readonly task?: ClientTask;
  /** Default: false. */
  readonly stream?: boolean;
  /** Default: everything is served. */
  readonly script?: Script;
  /** In place of the one that is made up for it. It has to hold the word. */
  readonly prompt?: (word: string) => string;
  /** Id of the response that the task is about. */
  readonly id?: string;
  /** The place of the region whose address the client is given: 0, the default, is the first. */
  readonly at?: number;
  /** The place of the region that made the response of the task. Default: where the client is. */
  readonly madeAt?: number;
}

/** Outcomes that a client reports for its answer. */
export const clientOutcomes = ['complete', 'interrupted', 'failed'] as const;
export type ClientOutcome = (typeof clientOutcomes)[number];

/** The line with which a client answers a task, or the better form of a text. */
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
  /** Reason why the process ended: by itself, or killed because it was idle, out of time or interrupted. */
  readonly endedBy: 'itself' | 'quiet' | 'timeout' | 'interruption';
  readonly stdout: string;
  /** The end of what it said besides. */
  readonly stderr: string;
  /** Null: it printed none. */
  readonly answer: ClientAnswer | null;
  /** Reason why the last line of the output is no valid answer, or null. */
  readonly problem: string | null;
}

/** Answer of the front of a gateway whose back is the client under test. */
export interface FrontAnswer {
  /** Scheme, host and port of the front. */
  readonly origin: string;
  readonly protocol: Protocol;
  /** `not-served`: no such model, no such path, a broken gateway. */
  readonly kind: 'unreachable' | 'key-refused' | 'not-served' | 'served';
  /** `answered 404 (there is no such model)`, or why nothing came. */
  readonly said: string;
}

/** One start of the client: what the gateway saw, and what the command printed. */
export interface ClientSession {
  /** Its exchanges have the same id, with the numbers of their requests. */
  readonly id: ExchangeId;
  readonly protocol: Protocol;
  readonly task: ClientTask;
  readonly stream: boolean;
  readonly script: Script;
  readonly model: string;
  /** Stands in the prompt, and in no other. */
  readonly word: string;
  /** Text that replaces a key where it is masked. */
  readonly mask: string;
  /** The region that made the response of its task, or that its address is of. */
  readonly region: string;
  /** In the order in which they began. */
  readonly exchanges: readonly Exchange[];
  /** The script came to bear. */
  readonly met: boolean;
  /** Answer of the front, if the client is the back of a gateway. */
  readonly front?: FrontAnswer;
  /** Nothing that the gateway sends on has the word; all that came meanwhile is of this session. */
  readonly isAlone?: true;
  readonly run: CommandRun;
}
