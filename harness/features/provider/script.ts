import type { Say } from './ask.ts';

/** Ways in which a stream breaks. */
type CutKind = 'cut' | 'clean-end' | 'half-event' | 'cut-body';

/** Bodies that are no answer, under status 200. */
export type FalseAnswer = 'error-body' | 'empty' | 'half-json' | 'page' | 'other-json';

/** Forms of one and the same stream. */
export type PlayedFraming =
  | 'bytes'
  | 'one-write'
  | 'crlf'
  | 'no-space'
  | 'comments'
  | 'unknown-event'
  | 'big-event';

/** Behaviour of a provider for one request of a scenario. It is data, so that a recording can be judged again. */
export interface ProviderScript {
  readonly say: Say;
  /** Headers besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: it says all. */
  readonly act?: ProviderAct;
}

type ProviderAct =
  | {
      readonly kind: 'refuses';
      readonly status: number;
      readonly retryAfter?: string;
      /** Quotes the key that the gateway showed. */
      readonly quotesKey?: true;
    }
  | { readonly kind: 'false-200'; readonly body: FalseAnswer }
  /** An error in a stream, after some events. */
  | { readonly kind: 'error-event'; readonly after: number }
  /** A break after some events, or in the middle of a body. */
  | { readonly kind: 'breaks'; readonly how: CutKind; readonly after: number }
  /** One event in a while, to see when the gateway leaves. */
  | { readonly kind: 'slow'; readonly everyMs: number }
  | { readonly kind: 'framed'; readonly framing: PlayedFraming };
