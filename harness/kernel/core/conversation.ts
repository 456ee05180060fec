import type { Protocol } from './protocol.ts';

/** One start of a client under test, as a reader follows it: what it sent when, what came of that, how it ended. */
export interface Conversation {
  /** `client/reset#messages/0`; the keys of its exchanges begin with it. */
  readonly key: string;
  /** `client/reset` */
  readonly scenario: string;
  readonly protocol: Protocol;
  /** Task of the client: `generate`. */
  readonly task: string;
  /** True if a stream was asked for. */
  readonly stream: boolean;
  /** Behaviour that the gateway planned, in words: `resets the connection once it has the request`. */
  readonly script: string;
  /** True if the planned behaviour came. */
  readonly met: boolean;
  /** Milliseconds since the start of the run. */
  readonly startedAt: number;
  /** Milliseconds until the command had ended, or was ended. */
  readonly took: number;
  /** Null: it did not end by itself, or by a signal. */
  readonly exit: number | null;
  /** Cause of the end: the command itself, or Touchstone, when nothing came any more, when its time was up, by the user. */
  readonly endedBy: 'itself' | 'quiet' | 'timeout' | 'interruption';
  /** Outcome that the client reported for its answer; null if it reported none. */
  readonly outcome: 'complete' | 'interrupted' | 'failed' | 'unsupported' | null;
  /** The beginning of its standard output. */
  readonly printed: string;
  /** The end of its standard error. */
  readonly errors: string;
  /** In the order in which they came. */
  readonly requests: readonly ConversationRequest[];
}

/** One request of a client under test. */
export interface ConversationRequest {
  /** Its key in the recording. */
  readonly exchange: string;
  /** `POST /v1/messages` */
  readonly request: string;
  readonly region: string;
  /** Milliseconds since the start of the command. */
  readonly at: number;
  readonly took: number;
  /** Outcome of the request: `200`, `reset by the gateway`. */
  readonly outcome: string;
  /**
   * When it asked for the answer to the prompt, in milliseconds since the start of the command; none: it asked
   * for something else. Over a WebSocket it may have asked several times.
   */
  readonly asked: readonly number[];
}

/** Returns how many times a client asked for the answer to the prompt. */
export function timesAsked({ requests }: Pick<Conversation, 'requests'>): number {
  return requests.reduce((sum, { asked }) => sum + asked.length, 0);
}
