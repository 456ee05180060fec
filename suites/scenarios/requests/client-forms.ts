import {
  assumeServed,
  type CallOptions,
  type Exchange,
  expect,
  Inconclusive,
  type Io,
  isRefused,
  isUnserved,
  NothingToJudge,
  outcome,
  present,
} from '../../../harness/index.ts';

// Requests as widely used clients write and send them. They cost no generation: requests that are sent anyway
// have these forms, and where one is not served, what depends on it goes on with the plain form.

/** Differences between a client's request and the plain one. */
export type ClientForm =
  /** `Accept` followed by any type: the request alone says whether it is to be a stream. */
  | 'accept-any'
  /** No `Accept` at all. */
  | 'no-accept'
  /** `Accept: application/json`, though the body asks for a stream. */
  | 'accept-json'
  /** `Content-Type: application/json; charset=utf-8` */
  | 'charset'
  /** The credential as `authorization: bearer <key>`. */
  | 'lower-case'
  /** Over a connection over which another request was answered before. */
  | 'kept-alive'
  /** Over HTTP/2, where the gateway takes it. */
  | 'http-2';

/**
 * The forms of two requests to each endpoint; together they are all. What has no body has no content type. A
 * kept connection comes first: a request over it may get lost.
 */
export const clientForms = {
  first: ['kept-alive', 'accept-any', 'charset'],
  withoutBody: ['kept-alive', 'accept-any'],
  second: ['no-accept', 'lower-case', 'http-2'],
} as const satisfies Readonly<Record<string, readonly ClientForm[]>>;

/** A request in forms of clients. */
interface Attempt {
  readonly forms: readonly ClientForm[];
  readonly exchange: Exchange;
}

/** A request in all of its forms; and while it was not served, without one more of them. */
export interface InForms {
  readonly attempts: readonly Attempt[];
}

/** Returns the maximum cost of a request in these forms. `plain`: its cost without them. */
export function costOf(
  forms: readonly ClientForm[],
  plain: { readonly requests: number; readonly generations: number },
): { readonly requests: number; readonly generations: number; readonly refused: number } {
  const openers = forms.includes('kept-alive') ? 2 : 0;
  const again = forms.length === 0 ? 0 : forms.length + 1;
  return {
    requests: plain.requests + openers + again,
    generations: plain.generations,
    refused: plain.generations === 0 ? 0 : again,
  };
}

/**
 * Sends a request in such forms. While it is answered, and not served, it is sent again without the first
 * of its forms: what is served then differs from what was not in that one form. So a request that may be
 * served once is not served twice. After a time-out it is sent without any. An answer that is neither served
 * nor a refusal is asked for once more in the same forms: where that is not broken, the first one stands.
 *
 * @returns `answer` is what a scenario goes on with: the last one
 */
export async function sendInForms(
  io: Io,
  forms: readonly ClientForm[],
  send: (as: CallOptions) => Promise<Exchange>,
): Promise<{ readonly clients: InForms; readonly answer: Exchange }> {
  const attempts: Attempt[] = [];
  for (let left = forms; ; ) {
    const answer = await send(await inForms(io, left));
    attempts.push({ forms: left, exchange: answer });
    // A broken answer is judged, unless the form of the request is the reason for it.
    if (left === forms && left.length > 0 && isBroken(answer)) {
      if (!isBroken(await send(await inForms(io, left)))) return { clients: { attempts }, answer };
    }
    // Later requests must not time out if only another connection works: one timeout is enough.
    const isLate =
      answer.failure?.kind === 'timeout' && left.some((form) => ofConnection.has(form));
    if (left.length === 0 || !(isLate || isUnserved(answer))) {
      return { clients: { attempts }, answer };
    }
    left = isLate ? [] : left.slice(1);
  }
}

/** True for an answer that is neither served nor a refusal. */
function isBroken(answer: Exchange): boolean {
  return answer.response !== null && isUnserved(answer) && !isRefused(answer);
}

const ofConnection: ReadonlySet<ClientForm> = new Set<ClientForm>(['kept-alive', 'http-2']);

async function inForms(io: Io, forms: readonly ClientForm[]): Promise<CallOptions> {
  const has = (form: ClientForm): boolean => forms.includes(form);
  const headers = {
    ...(has('accept-any') ? { Accept: '*/*' } : {}),
    ...(has('no-accept') ? { Accept: null } : {}),
    ...(has('accept-json') ? { Accept: 'application/json' } : {}),
    ...(has('charset') ? { 'Content-Type': 'application/json; charset=utf-8' } : {}),
  };
  return {
    headers,
    ...(has('lower-case') ? { placement: 'own-lower-case' } : {}),
    ...(has('http-2') ? { offersHttp2: true } : {}),
    ...(has('kept-alive') ? { over: await usedConnection(io) } : {}),
  };
}

/** A connection over which the list of models was asked for. */
async function usedConnection(io: Io) {
  const over = io.connection();
  await io.lists.list({ over });
  return over;
}

/** Judges one form of such a request: served, where the same without it is. */
export function expectServedAs(form: ClientForm, { attempts }: InForms): void {
  const last = present(attempts.at(-1), 'the last attempt');
  const own = present(
    attempts.findLast(({ forms }) => forms.includes(form)),
    form,
  );
  assumeServed(last.exchange);
  const { exchange } = own;
  // Two requests that differ in more than this form do not show which of them it was.
  if (own !== last && own.forms.length - last.forms.length > 1) {
    const reason = `not asked for without this form alone, or not served then: ${outcome(exchange)}`;
    throw new Inconclusive(reason, exchange);
  }
  if (form === 'kept-alive' && exchange.response === null) {
    const reason = `what was sent over a kept connection got no answer: ${outcome(exchange)}; a gateway may close such a one at any time`;
    throw new Inconclusive(reason, exchange);
  }
  expect(exchange).toBeServed();
  if (form === 'http-2' && exchange.response?.over !== 'http/2') {
    throw new NothingToJudge('the gateway offers no HTTP/2');
  }
  if (form === 'kept-alive' && exchange.response?.over !== 'kept connection') {
    throw new NothingToJudge('the gateway closed the connection behind the request before');
  }
}
