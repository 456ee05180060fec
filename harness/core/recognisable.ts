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
