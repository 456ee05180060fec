import type { SentRequest } from './exchange.ts';

/** As whom requests are sent: `ordinary`, as the usual client of each protocol; `plain`, under our name. */
export type RequestIdentity = 'ordinary' | 'plain';

/** The `User-Agent` of requests that say openly whose they are. */
export const ourName = 'gateway-touchstone';

/** True if a header only identifies the caller. */
export function saysWhoCalls(name: string): boolean {
  return /^(user-agent|x-stainless-.+|x-goog-api-client|accept-language|sec-fetch-mode)$/i.test(
    name,
  );
}

/** Traits by which a gateway could recognise a run. */
export interface Recognisable {
  /** Number of requests that the following fields count among. */
  readonly requests: number;
  /** Requests in which our name stands, in a header or in the body. */
  readonly named: number;
  /** The values of `User-Agent`. */
  readonly userAgents: readonly string[];
  /** Requests with an `X-Client-Request-Id`, which few clients send. */
  readonly identified: number;
  /** Requests over a connection over which no other was answered before. */
  readonly ownConnection: number;
  /** Texts that generations were asked with. */
  readonly prompts: number;
  /** Number of different wordings among the prompts, with names disregarded. */
  readonly wordings: number;
  /**
   * Number of prompts with the most common wording. Some requests differ from others in one detail, and not
   * in their text.
   */
  readonly commonestWording: number;
}

/** The values of a header in a request. */
export function headersOf(
  { headers }: Pick<SentRequest, 'headers'>,
  wanted: string,
): readonly string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}
