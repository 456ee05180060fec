import {
  assumeServed,
  type CallOptions,
  type Exchange,
  expect,
  Inconclusive,
  isRefused,
  isServed,
  jsonBody,
  outcome,
} from '../../../harness/index.ts';

// Headers as widely used clients write them. They cost no generation: requests that are sent anyway carry
// them, and where one is refused, what depends on it goes on with the plain form.

const headerForms = {
  /** `Content-Type: application/json; charset=utf-8` */
  charset: { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  /** The credential as `authorization: bearer <key>`. */
  'lower-case': { placement: 'own-lower-case' },
  /** `Accept: application/json`, though the body asks for a stream. */
  'accept-json': { headers: { Accept: 'application/json' } },
  /** `Accept: ` followed by any type: the request alone says whether it is to be a stream. */
  'accept-any': { headers: { Accept: '*/*' } },
} as const satisfies Readonly<Record<string, CallOptions>>;

/** How the headers of a request depart from the plain ones. */
export type HeaderForm = keyof typeof headerForms;

/** A request with such headers, and the plain one, which is only sent where that was not served. */
export interface WithHeaders {
  readonly formed: Exchange;
  readonly plain: Exchange | null;
}

/** Sends a request with such headers. */
export function sendOnceWith(
  form: HeaderForm,
  send: (as: CallOptions) => Promise<Exchange>,
): Promise<Exchange> {
  return send(headerForms[form]);
}

/**
 * The same for a scenario that goes on from the answer: one request more where it was not served, which
 * counts as `refused: 1` among the costs.
 *
 * @returns `answer` is what the scenario goes on with: that to the plain request, where that was sent
 */
export async function sendWith(
  form: HeaderForm,
  send: (as: CallOptions) => Promise<Exchange>,
): Promise<{ readonly headers: WithHeaders; readonly answer: Exchange }> {
  const formed = await sendOnceWith(form, send);
  const unstreamed = form === 'accept-json' && jsonBody(formed) !== undefined;
  const plain = isRefused(formed) || unstreamed ? await send({}) : null;
  return { headers: { formed, plain }, answer: plain ?? formed };
}

/** Judges such a request: served, where the plain one is. */
export function expectServedWith({ formed, plain }: WithHeaders): void {
  if (plain !== null) assumeServed(plain);
  else if (!isServed(formed)) {
    throw new Inconclusive(`not refused, and not served: ${outcome(formed)}`, formed);
  }
  expect(formed).toBeServed();
}
