/**
 * Exchange in the form of reports: text instead of bytes, shortened to a readable length. Views are built from a
 * recording, so they hold no secret.
 */
export interface ExchangeView {
  /** `<scenario>#<lane>/<ordinal>`, as in evidence. */
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
  /** Answer, or null if no status line was received. For a WebSocket: the answer to the upgrade. */
  readonly answer: {
    readonly status: number;
    readonly headers: HeaderLines;
    readonly body: BodyView;
    /** The content codings that the body was decoded from: `gzip`. Null if the body is shown as received. */
    readonly decodedFrom: string | null;
    /** True if the body has the end that its framing announced. */
    readonly complete: boolean;
    /** Milliseconds from the start of the exchange to the headers. Null if unknown. */
    readonly headersAfter: number | null;
  } | null;
  /** Frames in both directions, or null if the answer is neither a stream nor a WebSocket. */
  readonly stream: StreamView | null;
  /** Reason of an abnormal end: `timeout: …`. Null if the exchange ended normally. */
  readonly failure: string | null;
  /** Duration of the exchange in milliseconds. */
  readonly took: number;
  /** Names of the credentials that the answer repeated. */
  readonly echoed: readonly string[];
  /** All exchanges of the scenario, including this one, in order of their start. */
  readonly scenario: readonly StepView[];
}

/**
 * Exchanges by the ids of the checks whose findings refer to them. Not by exchange key, because several parts of a
 * split run may have sent the same request and got different answers.
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
  /** The first `shown` bytes as text, in hexadecimal digits if `binary`. */
  readonly text: string;
  /** Total length in bytes. */
  readonly bytes: number;
  /** Number of these bytes that `text` shows. */
  readonly shown: number;
  readonly binary: boolean;
}

export interface StreamView {
  readonly over: 'sse' | 'websocket';
  readonly frames: readonly FrameView[];
  /** Close code of the stream, and the side that closed it: `1000, by the gateway`. Null if unknown. */
  readonly close: string | null;
  /** Result of a ping. Absent if none was sent, or the result is unknown. */
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

/** Maximum number of bytes of a body in a report. The recording has the rest. */
export const shownOfBody = 16_384;
/** Maximum number of bytes of a frame in a report. */
export const shownOfFrame = 4_096;
