import {
  assumeServed,
  type Call,
  type CallOptions,
  type EndpointName,
  type Exchange,
  expect,
  fields,
  Inconclusive,
  type Io,
  isRefused,
  isUnserved,
  json,
  NothingToJudge,
  outcome,
  protocolModules,
  type StreamingProtocol,
  type Variation,
} from '../../../harness/index.ts';
import { present } from '../exchanges.ts';
import { finalAnswer } from '../stored/stored-responses.ts';

/** Transforms a call into an equivalent call of another form. */
type Form = (call: Call) => Call;

const otherForms: Partial<Record<EndpointName, readonly Form[]>> = {
  responses: [streaming, inBackground],
  'chat-completions': [streaming],
  messages: [streaming],
  // The endpoint stands for three actions.
  'alternate-path': [streamingAction, countingAction],
};

/** Returns the equivalent forms of a request to an endpoint, the plain form first. */
export function formsOf(name: EndpointName): readonly Form[] {
  return [asItIs, ...(otherForms[name] ?? [])];
}

function asItIs(call: Call): Call {
  return call;
}

/** Returns the streamed form of a request whose body decides if it is streamed. */
function streaming(call: Call): Call {
  return { ...call, expects: 'events', body: { ...Object(call.body), stream: true } };
}

/** Returns the endpoint of a protocol's streams, and the form that makes its baseline request a stream. */
export function streamedAt(protocol: StreamingProtocol): {
  readonly name: EndpointName;
  readonly form: Form;
} {
  const { mainEndpoint, streamEndpoint: name } = protocolModules[protocol];
  return { name, form: name === mainEndpoint ? streaming : asItIs };
}

function inBackground(call: Call): Call {
  return { ...call, body: { ...Object(call.body), background: true, store: true } };
}

function streamingAction(call: Call): Call {
  return {
    ...action(call, 'streamGenerateContent'),
    operation: 'generative.stream',
    query: { alt: 'sse' },
    expects: 'events',
  };
}

function countingAction(call: Call): Call {
  return {
    ...action(call, 'countTokens'),
    operation: 'generative.count-tokens',
    body: { contents: json.at(call.body, 'contents') },
  };
}

function action(call: Call, name: string): Call {
  return { ...call, path: call.path.replace(':generateContent', `:${name}`) };
}

export function withMember(call: Call, member: string, value: unknown): Call {
  return { ...call, body: { ...Object(call.body), [member]: value } };
}

// Requests in the forms that widely used clients send. They cost no additional generation, because scenarios apply
// the forms to requests that they send anyway. If a form is not served, dependent scenarios continue with the plain
// form.

/** Differences between a client's request and the plain one. */
export type ClientForm =
  /** `Accept` allows any type: the request alone decides if the answer is a stream. */
  | 'accept-any'
  /** No `Accept` header. */
  | 'no-accept'
  /** `Accept: application/json`, though the body asks for a stream. */
  | 'accept-json'
  /** `Content-Type: application/json; charset=utf-8` */
  | 'charset'
  /** The credential as `authorization: bearer <key>`. */
  | 'lower-case'
  /** Over a connection that has already carried another request. */
  | 'kept-alive'
  /** Over HTTP/2, if the gateway supports it. */
  | 'http-2';

/**
 * Forms of two requests to each endpoint; together they cover all forms. A request without a body has no content
 * type. The kept-alive connection comes first, because a request over it may get lost.
 */
export const clientForms = {
  first: ['kept-alive', 'accept-any', 'charset'],
  withoutBody: ['kept-alive', 'accept-any'],
  second: ['no-accept', 'lower-case', 'http-2'],
} as const satisfies Readonly<Record<string, readonly ClientForm[]>>;

interface Attempt {
  readonly forms: readonly ClientForm[];
  readonly exchange: Exchange;
}

/** Attempts of one request, first in all of its forms, then with one form fewer while it is not served. */
export interface InForms {
  readonly attempts: readonly Attempt[];
}

/** Returns the maximum cost of a request in these forms. `plain`: the cost of the plain request. */
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
 * Sends a request in client forms. While an answer arrives but is not served, it retries without the first
 * remaining form, so that two consecutive attempts differ in that one form. A request that was served is not sent
 * again. After a timeout it retries without any form. If the first answer is neither served nor a refusal, the
 * request is retried once in the same forms; if that fails in the same way, the first answer stands.
 *
 * @returns `answer` is the one for the scenario to continue with
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
    // A broken answer is judged, unless the form of the request causes it.
    if (left === forms && left.length > 0 && isBroken(answer)) {
      if (!isBroken(await send(await inForms(io, left)))) return { clients: { attempts }, answer };
    }
    // If only another connection works, later requests must not time out again: one timeout is enough.
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

/** Returns a connection that has already carried a request for the list of models. */
async function usedConnection(io: Io) {
  const over = io.connection();
  await io.lists.list({ over });
  return over;
}

/** Judges one form of a request: served if the request without it is served. */
export function expectServedAs(form: ClientForm, { attempts }: InForms): void {
  const last = present(attempts.at(-1), 'the last attempt');
  const own = present(
    attempts.findLast(({ forms }) => forms.includes(form)),
    form,
  );
  assumeServed(last.exchange);
  const { exchange } = own;
  // Two requests that differ in more than one form do not show which form was refused.
  if (own !== last && own.forms.length - last.forms.length > 1) {
    const reason = `it also had other forms, so it is unknown which was refused: ${outcome(exchange)}`;
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

/** Returns the call with another output limit, or without one. */
export function withLimit(call: Call, path: string, limit: number | undefined): Call {
  return { ...call, body: { ...Object(call.body), ...fields.at(path, limit) } };
}

/** Sends an invalid request in each form that the endpoint takes. The owner looks up accepted ones. */
export function inEachForm(
  io: Io,
  name: EndpointName,
  { change: spoilt = (call) => call, ...request }: Variation,
  as: CallOptions = {},
): Promise<Exchange[]> {
  return Promise.all(
    formsOf(name).map(async (form) =>
      finalAnswer(
        io,
        await io.ask(name, { ...request, change: (call) => spoilt(form(call)) }, as),
        {},
      ),
    ),
  );
}
