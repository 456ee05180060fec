import type { Protocol } from './protocol.ts';

/** One start of a client under test, for readers: its requests with times and outcomes, and its end. */
export interface Conversation {
  /** `client/reset#messages/0`. The ids of its exchanges begin with it. */
  readonly key: string;
  /** `client/reset` */
  readonly scenario: string;
  readonly protocol: Protocol;
  /** Task of the client: `generate`. */
  readonly task: string;
  /** True if the client was started to stream. */
  readonly stream: boolean;
  /** Planned behaviour of the gateway, in words: `resets the connection once it has the request`. */
  readonly script: string;
  /** True if the planned behaviour happened. */
  readonly met: boolean;
  /** Milliseconds since the start of the run. */
  readonly startedAt: number;
  /** Milliseconds until the command had ended, or was ended. */
  readonly took: number;
  /** Null: it was ended by Touchstone or by a signal. */
  readonly exit: number | null;
  /** Cause of the end: the command itself, silence, a timeout, or an interruption by the user. */
  readonly endedBy: 'itself' | 'quiet' | 'timeout' | 'interruption';
  /** Outcome that the client reported for its answer; null if it reported none. */
  readonly outcome: 'complete' | 'interrupted' | 'failed' | 'unsupported' | null;
  /** The beginning of its standard output. */
  readonly printed: string;
  /** The end of its standard error. */
  readonly errors: string;
  /** In order of arrival. */
  readonly requests: readonly ConversationRequest[];
}

export interface ConversationRequest {
  readonly exchange: string;
  /** `POST /v1/messages` */
  readonly request: string;
  readonly region: string;
  /** Milliseconds since the start of the command. */
  readonly at: number;
  readonly took: number;
  /** Outcome of the request: `200`, `reset by the gateway`. */
  readonly outcome: string;
  /** Times of generation requests for the prompt, in milliseconds since the start; may be empty. */
  readonly asked: readonly number[];
}

/** Returns the number of generation requests for the prompt that a client sent. */
export function timesAsked({ requests }: Pick<Conversation, 'requests'>): number {
  return requests.reduce((sum, { asked }) => sum + asked.length, 0);
}
