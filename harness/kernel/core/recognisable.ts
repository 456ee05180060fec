import type { SentRequest } from './exchange.ts';

/** Identity of requests: `ordinary`, as the usual client of each protocol; `plain`, under our name. */
export type RequestIdentity = 'ordinary' | 'plain';

/** The `User-Agent` of requests with the identity `plain`. */
export const ourName = 'gateway-touchstone';

/** True if a header only identifies the caller. */
export function saysWhoCalls(name: string): boolean {
  return /^(user-agent|x-stainless-.+|x-goog-api-client|accept-language|sec-fetch-mode)$/i.test(
    name,
  );
}

export interface Recognisable {
  /** Number of requests that the following fields are counted in. */
  readonly requests: number;
  /** Requests that contain our name, in a header or in the body. */
  readonly named: number;
  readonly userAgents: readonly string[];
  /** Requests with an `X-Client-Request-Id`, which few clients send. */
  readonly identified: number;
  /** Requests that were the first on their connection. */
  readonly ownConnection: number;
  readonly prompts: number;
  /** Number of different wordings among the prompts, with names disregarded. */
  readonly wordings: number;
  /** Number of prompts with the most common wording. Some requests differ in other details. */
  readonly commonestWording: number;
}

/** Returns the values of a header. @param wanted in lower case */
export function headersOf(
  { headers }: Pick<SentRequest, 'headers'>,
  wanted: string,
): readonly string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}
