import type { SentRequest } from './exchange.ts';

/** As whom requests are sent: `ordinary`, as the usual client of each protocol; `plain`, under our name. */
export type RequestIdentity = 'ordinary' | 'plain';

/** The `User-Agent` of requests that say openly whose they are. */
export const ourName = 'gateway-touchstone';

/** Whether a header says no more than who calls. */
export function saysWhoCalls(name: string): boolean {
  return /^(user-agent|x-stainless-.+|x-goog-api-client|accept-language|sec-fetch-mode)$/i.test(
    name,
  );
}

/** What a gateway could know a run by. */
export interface Recognisable {
  /** Those that the following are counted among. */
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
  /** How many wordings they have, but for names. */
  readonly wordings: number;
  /** Those that have the commonest of them: some requests differ from others in one thing, and not in their text. */
  readonly commonestWording: number;
}

/** The values of a header in a request. */
export function headersOf(
  { headers }: Pick<SentRequest, 'headers'>,
  wanted: string,
): readonly string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}
