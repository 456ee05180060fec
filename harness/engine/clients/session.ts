import type { Exchange, Protocol } from '../../core/index.ts';
import type { Script } from './script.ts';

/** What a client can be asked to do. A client without tasks knows `generate` alone. */
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

export type ClientTask = (typeof clientTasks)[number];

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
  /** Of the response that the task is about. */
  readonly id?: string;
  /** The place of the region whose address the client is given: 0, the default, is the first. */
  readonly at?: number;
  /** The place of the region that made the response of the task. Default: where the client is. */
  readonly madeAt?: number;
}

/** What a client says of its answer. */
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

/** How the command ran. */
export interface CommandRun {
  /** Milliseconds since the start of the run. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null: a signal ended it. */
  readonly exit: number | null;
  /** It lived on, and was ended: when nothing came any more, or when its time was up. */
  readonly endedBy: 'itself' | 'quiet' | 'timeout' | 'interruption';
  readonly stdout: string;
  /** The end of what it said besides. */
  readonly stderr: string;
  /** Null: it printed none. */
  readonly answer: ClientAnswer | null;
  /** Why its last line is no answer, where it should be one; null: there is nothing wrong with it. */
  readonly problem: string | null;
}

/** How the front of a gateway answered, whose back is the client. */
export interface FrontAnswer {
  /** Scheme, host and port of the front. */
  readonly origin: string;
  readonly protocol: Protocol;
  /** `not-served`: no such model, no such path, a broken gateway. */
  readonly kind: 'unreachable' | 'key-refused' | 'not-served' | 'served';
  /** `answered 404 (there is no such model)`, or why nothing came. */
  readonly said: string;
}

/** What came of one start: what the gateway saw, and what the command said. */
export interface ClientSession {
  /** `<scenario>#<protocol>/<ordinal>`; its exchanges have it before their own number. */
  readonly key: string;
  readonly protocol: Protocol;
  readonly task: ClientTask;
  readonly stream: boolean;
  readonly script: Script;
  readonly model: string;
  /** Stands in the prompt, and in no other. */
  readonly word: string;
  /** What a key is masked with. */
  readonly mask: string;
  /** The region that made the response of its task, or that its address is of. */
  readonly region: string;
  /** In the order in which they began. */
  readonly exchanges: readonly Exchange[];
  /** The script came to bear. */
  readonly met: boolean;
  /** Where the client is the back side of a gateway: how its front answered. */
  readonly front?: FrontAnswer;
  /** Nothing that the gateway sends on has the word; all that came meanwhile is of this session. */
  readonly isAlone?: true;
  readonly run: CommandRun;
}
