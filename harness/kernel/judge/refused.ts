import { type Exchange, textAt } from '../core/index.ts';
import {
  type Answer,
  alteredKeys,
  answerOf,
  type ErrorBody,
  errorBody,
  errorIn,
  hasGeneratedContent,
} from '../protocols/index.ts';
import { headerValues, remembered } from '../wire/index.ts';
import { causeOf, isLost, type Judged, noneBut, transientIn, undecided, yes } from './judged.ts';
import { inWords } from './wording.ts';

export interface RefusedOptions {
  /** True if the request uses a capability that the channel lacks: 501 refuses it, too. */
  readonly capability?: boolean;
  /** True if the request has no ordinary credential: a redirect to a sign-in page refuses it, too. */
  readonly signIn?: boolean;
}

export function aRefusal({ capability = false }: RefusedOptions): string {
  return capability ? 'a refusal (4xx or 501)' : 'a refusal (4xx)';
}

/**
 * Judges a refusal, which must not have generated content. Accepts
 *
 * - 4xx, and 501 for a lacking capability;
 * - a redirect to another resource, for a request without a good credential;
 * - a native error event before any other, on a stream or a socket;
 * - a close with 1008 or 3000–4999 on a socket; for a lacking capability, with any code except 1011.
 */
export function refused(
  exchange: Exchange,
  { capability = false, signIn = false }: RefusedOptions = {},
): Judged {
  const mayRedirect = signIn || withoutCredential.has(exchange.about.key);
  if (mayRedirect && redirectedTo(exchange) !== null && !hasGeneratedContent(exchange)) return yes;
  return capability ? asCapability(exchange) : ordinarily(exchange);
}

/** Cached, because most requirements need it. */
const ordinarily = remembered((exchange) => readRefusal(exchange, false));
const asCapability = remembered((exchange) => readRefusal(exchange, true));

function readRefusal(exchange: Exchange, capability: boolean): Judged {
  const { response, socket } = exchange;
  const transient = transientIn(exchange);
  if (transient !== null) return { state: 'undecided', ...transient };
  if (response === null || hasGeneratedContent(exchange)) return noneBut(exchange);
  const { status } = response;
  if ((status >= 400 && status < 500) || (capability && status === 501)) return yes;
  const answer = answerOf(exchange);
  if (answer.form === 'events' && (socket !== null || status === 200)) {
    const error = firstError(answer);
    // The status in an error frame is judged like the status of an HTTP answer.
    const isBroken = (error?.status ?? 0) >= 500 && !(capability && error?.status === 501);
    if (error !== null) return isBroken ? noneBut(exchange) : yes;
    if (answer.stream.events.every(({ json }) => isIdle(json))) return closed(exchange, capability);
  }
  return noneBut(exchange);
}

const withoutCredential: ReadonlySet<string> = new Set(['none', 'unknown', ...alteredKeys]);

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the location of a redirect to another resource, such as a sign-in page. Returns null for a redirect to
 * the same resource: over TLS, on another host, under a longer path.
 */
export function redirectedTo({ request, response }: Exchange): string | null {
  if (response === null || !redirects.has(response.status)) return null;
  const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location === undefined || !URL.canParse(location, request.url)) return null;
  const [asked, given] = [new URL(request.url), new URL(location, request.url)].map(
    ({ pathname }) => pathname.toLowerCase().replace(/\/+/g, '/').replace(/\/$/, ''),
  );
  if (asked === undefined || given === undefined) return null;
  return given.endsWith(asked) || (given !== '' && asked.endsWith(given)) ? null : location;
}

/**
 * True for a 503, over HTTP or in the first event, that mentions no load and has no time to retry. The
 * specification does not define how a gateway refuses what it cannot serve.
 */
export function isUnavailable(exchange: Exchange): boolean {
  if (headerValues(exchange, 'retry-after').length > 0 || hasGeneratedContent(exchange))
    return false;
  const answer = answerOf(exchange);
  const error = answer.form === 'events' ? firstError(answer) : errorBody(exchange);
  const status = answer.form === 'events' ? error?.status : exchange.response?.status;
  const words = `${error?.code ?? ''} ${error?.type ?? ''} ${error?.message ?? ''}`;
  return status === 503 && error !== null && !speaksOfLoad(words);
}

/** True if the text of an error mentions load or a temporary condition. */
export function speaksOfLoad(words: string): boolean {
  return ofLoad.test(words);
}

const ofLoad =
  /(?<![a-z])(again|later|over.?load|load|busy|capacity|temporar|moment|time.?out|rate.?limit|too many|retry)/i;

/** True if a request was refused, for code that depends on it. See `toBeRefused`. */
export function isRefused(exchange: Exchange, options: RefusedOptions = {}): boolean {
  return refused(exchange, options).state === 'yes';
}

/** Returns the error that a stream or a turn begins with, or null. */
function firstError({ stream }: Answer & { readonly form: 'events' }): ErrorBody | null {
  const first = stream.events.find(({ json }) => !isIdle(json));
  return first === undefined ? null : errorIn(first.json);
}

/** True for an event that only keeps a connection open. It may precede any other. */
function isIdle(json: unknown): boolean {
  const type = textAt(json, 'type');
  return type === 'ping' || type === 'keepalive';
}

function closed(exchange: Exchange, capability: boolean): Judged {
  const close = exchange.socket?.close ?? null;
  if (close !== null && close.by === 'gateway') {
    if (close.code === 1008 || (close.code >= 3000 && close.code <= 4999)) return yes;
    // A gateway without WebSocket support need not say so in frames. 1011 means an error, like 500.
    if (capability && close.code !== 1011) return yes;
  } else if (isLost(exchange.failure)) {
    return undecided(
      causeOf(exchange.failure) ?? 'unreachable',
      `the WebSocket was opened, and then nothing came: ${inWords(exchange.failure)}`,
    );
  }
  return noneBut(exchange);
}
