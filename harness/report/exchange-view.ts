/**
 * An exchange as a report shows it: text instead of bytes, and no more of it than a reader wants.
 * Whoever has the recording makes these; it holds no secret, because a recording holds none.
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
  /** Null when no status line came. On a WebSocket: the answer to the upgrade. */
  readonly answer: {
    readonly status: number;
    readonly headers: HeaderLines;
    readonly body: BodyView;
    /** The content codings that the body was decoded from: `gzip`; null when it came as it is shown. */
    readonly decodedFrom: string | null;
    /** It ended as its framing says. */
    readonly complete: boolean;
    /** Milliseconds from the start of the exchange to the headers; null when unknown. */
    readonly headersAfter: number | null;
  } | null;
  /** What came, or went, piece by piece; null when the answer is neither a stream nor a WebSocket. */
  readonly stream: StreamView | null;
  /** What ended the exchange, when that was not its natural end: `timeout: …`. */
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

/** One exchange of a scenario, in short. */
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
  /** How long the whole is. */
  readonly bytes: number;
  /** How many of them `text` shows. */
  readonly shown: number;
  readonly binary: boolean;
}

export interface StreamView {
  readonly over: 'sse' | 'websocket';
  readonly frames: readonly FrameView[];
  /** How it was closed: `1000, by the gateway`; null when nothing is known of that. */
  readonly close: string | null;
  /** What came of a ping of ours; left out where none was sent, or nobody knows. */
  readonly ping?: 'answered' | 'not answered';
}

export interface FrameView {
  /** Milliseconds since the start of the exchange. */
  readonly at: number;
  readonly from: 'us' | 'gateway';
  /** Of the event, or what it is: `comment`, `not closed by a blank line`. */
  readonly name: string | null;
  readonly data: BodyView;
}

/** As much of a body as a report shows. The recording has the rest. */
export const shownOfBody = 16_384;
/** As much of a frame as a report shows. */
export const shownOfFrame = 4_096;
