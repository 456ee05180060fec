/** Behaviour of the gateway in one start of the client. Other requests are served as usual. */
export interface Script {
  /** Answer to the first generation. The next one is served: a client that retries has shown enough. */
  readonly answer?: ScriptedAnswer;
  /** Form in which the events of a stream are written. */
  readonly framing?: Framing;
  /** The id of the model, and those of responses, have characters that have to be encoded in a path. */
  readonly odd?: true;
  /** Answers to lookups of a response, in order; the last one is repeated. */
  readonly lookups?: readonly ScriptedLookup[];
  /** Status that refuses an attempt to resume a broken stream. */
  readonly recovery?: number;
  /** Content of an answer besides its text. */
  readonly beside?: Beside;
}

export type Beside =
  /** Items, blocks, parts or chunks of an unknown type, before and behind the text. */
  | 'unknown'
  /** Thoughts before the text, as the protocol shows them. */
  | 'thoughts';

export type ScriptedLookup =
  /** The response, in this state. */
  | { readonly state: string }
  /** An error in the native form. */
  | { readonly status: number; readonly retryAfter: string };

export type ScriptedAnswer =
  /** Takes the whole request, and then resets the connection. */
  | { readonly kind: 'reset' }
  /** Takes the whole request, sends nothing, and closes the connection after a while. */
  | { readonly kind: 'no-answer' }
  /** Sends the head and half of the body, and then closes the connection. Not for streams. */
  | { readonly kind: 'cut-body' }
  /** Closes the connection after `events` events. Only streams. */
  | { readonly kind: 'cut-stream'; readonly events: number }
  /** Stalls after `events` events, and closes the connection after a while. Only streams. */
  | { readonly kind: 'stall'; readonly events: number }
  /** Ends cleanly after `events` events, without the terminal event. Only streams. */
  | { readonly kind: 'ends-early'; readonly events: number }
  /** Sends the native error event after `events` events. Only streams. */
  | { readonly kind: 'error-in-stream'; readonly events: number }
  /** Sends the event of a failed response after `events` events. Only streams of Responses. */
  | { readonly kind: 'failed-in-stream'; readonly events: number }
  /** An error in the native form, or a page of a proxy. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly html?: true;
      /** Every generation is answered like this, not only the first. */
      readonly always?: true;
    }
  /** Redirects to another host, which records the requests that it gets. */
  | { readonly kind: 'redirect'; readonly status: 302 | 307 | 308 }
  /** Closes the first connection as it opens, before anything can be sent over it. */
  | { readonly kind: 'refused' };

/** The region of the other host that a redirect leads to. */
export const otherHost = 'elsewhere';

/** Legal ways to write the same stream. */
const framings = [
  /** All events in one write. */
  'whole',
  /** A few bytes at a time, through the middle of characters. */
  'bytes',
  /** The end of one event together with the beginning of the next. */
  'joined',
  /** Lines that end in CR LF. */
  'crlf',
  /** Comments between the events, as they keep a connection open. */
  'comments',
  /** Unknown events, and unknown members in known events. */
  'unknown',
  /** Unknown events and members, as in `unknown`, that look like the text of another protocol. */
  'lookalike',
] as const;

export type Framing = (typeof framings)[number];
