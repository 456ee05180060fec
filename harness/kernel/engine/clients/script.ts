/**
 * Behaviour of the gateway in one start of the client that speaks to it. Whatever the script leaves out is
 * served as usual.
 */
export interface Script {
  /** Answer to the first generation. The next one is served: a client that sends one has shown enough. */
  readonly answer?: ScriptedAnswer;
  /** Form in which the events of a stream are written. */
  readonly framing?: Framing;
  /** The model that the client is told has an id that has to be encoded in a path. */
  readonly oddModel?: true;
  /** Ids of responses have characters that have to be encoded in a path. */
  readonly oddIds?: true;
  /** Answers to lookups of a response, in their order; the last one is repeated. */
  readonly lookups?: readonly ScriptedLookup[];
  /** Status that refuses an attempt to resume a broken stream. */
  readonly recovery?: number;
  /** Behind the text, an output item, a block or a part of a type that nobody knows. */
  readonly unknownItem?: true;
}

export type ScriptedLookup =
  /** The response, in this state. */
  | { readonly state: string }
  /** An error in the native form. */
  | { readonly status: number; readonly retryAfter: string };

export type ScriptedAnswer =
  /** The whole request is taken, and then the connection is reset. */
  | { readonly kind: 'reset' }
  /** The whole request is taken, and nothing comes; after a while the connection is closed. */
  | { readonly kind: 'no-answer' }
  /** Head and half of the body, and then the connection is closed. Only what is no stream. */
  | { readonly kind: 'cut-body' }
  /** Closes the connection after so many events. Only streams. */
  | { readonly kind: 'cut-stream'; readonly events: number }
  /** Stalls after so many events, and closes the connection after a while. Only streams. */
  | { readonly kind: 'stall'; readonly events: number }
  /** Ends cleanly after so many events, without the terminal event. Only streams. */
  | { readonly kind: 'ends-early'; readonly events: number }
  /** Sends the native error event after so many events. Only streams. */
  | { readonly kind: 'error-in-stream'; readonly events: number }
  /** An error in the native form, or a page of a proxy. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly html?: true;
      /** Not the first generation alone is answered so, but every one. */
      readonly always?: true;
    }
  /** To another host, which records what it is sent. */
  | { readonly kind: 'redirect'; readonly status: 302 | 307 | 308 }
  /** The first connection is closed as it opens, before anything could be sent over it. */
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
  /** Events of a type that nobody knows, and members that nobody knows, between and in those that count. */
  'unknown',
  /** Unknown events and members, as in `unknown`, that look like the text of another protocol. */
  'lookalike',
] as const;

export type Framing = (typeof framings)[number];
