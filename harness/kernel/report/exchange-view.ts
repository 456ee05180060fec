/**
 * Exchange as a report shows it: text instead of bytes, shortened to what a reader needs. Views are made
 * from a recording, so they hold no secret.
 */
export interface ExchangeView {
  /** `<scenario>#<lane>/<ordinal>`, as evidence names it. */
  readonly key: string;
  /** `responses.create` */
  readonly operation: string;
  readonly region: string;
  /** Name of the key in the target file, or `none`, `unknown`. */
  readonly credential: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: HeaderLines;
    readonly body: BodyView | null;
  };
  /** Answer, or null if no status line was received. On a WebSocket: the answer to the upgrade. */
  readonly answer: {
    readonly status: number;
    readonly headers: HeaderLines;
    readonly body: BodyView;
    /** The content codings that the body was decoded from: `gzip`; null when it came as it is shown. */
    readonly decodedFrom: string | null;
    /** True if the body ended as its framing says. */
    readonly complete: boolean;
    /** Milliseconds from the start of the exchange to the headers; null when unknown. */
    readonly headersAfter: number | null;
  } | null;
  /** Frames in both directions, or null if the answer is neither a stream nor a WebSocket. */
  readonly stream: StreamView | null;
  /** Reason of an unusual end: `timeout: …`; null if the exchange ended normally. */
  readonly failure: string | null;
  /** Milliseconds from its start to its end. */
  readonly took: number;
  /** Names of the credentials that the answer repeated. */
  readonly echoed: readonly string[];
  /** Every exchange of its scenario, itself among them, in the order in which they began. */
  readonly scenario: readonly StepView[];
}

/**
 * Exchanges by the ids of the checks whose findings rest on them. Not by their keys: parts of a run
 * that was split may each have sent the same request, and come to different answers.
 */
export type ExchangeViews = ReadonlyMap<string, ExchangeView>;

/** Summary of an exchange of a scenario. */
export interface StepView {
  readonly key: string;
  /** `POST /v1/responses` */
  readonly request: string;
  /** `200`, or `no answer`. */
  readonly outcome: string;
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly took: number;
}

export type HeaderLines = readonly (readonly [name: string, value: string])[];

export interface BodyView {
  /** The beginning; all of it when it is as long as `bytes`. Hexadecimal digits when `binary`. */
  readonly text: string;
  /** Length of the whole, in bytes. */
  readonly bytes: number;
  /** Number of these bytes that `text` shows. */
  readonly shown: number;
  readonly binary: boolean;
}

export interface StreamView {
  readonly over: 'sse' | 'websocket';
  readonly frames: readonly FrameView[];
  /** Close code of the stream, and who closed it: `1000, by the gateway`; null if that is unknown. */
  readonly close: string | null;
  /** Result of a ping of ours; absent if none was sent, or the result is unknown. */
  readonly ping?: 'answered' | 'not answered';
}

export interface FrameView {
  /** Milliseconds since the start of the exchange. */
  readonly at: number;
  readonly from: 'us' | 'gateway';
  /** Name of the event, or a description: `comment`, `not closed by a blank line`. */
  readonly name: string | null;
  readonly data: BodyView;
}

/** Bytes of a body that a report shows. The recording has the rest. */
export const shownOfBody = 16_384;
/** Bytes of a frame that a report shows. */
export const shownOfFrame = 4_096;
