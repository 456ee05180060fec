import { at, type Exchange, isObject, parsed, shown } from '../core/index.ts';
import {
  type Answer,
  answerOf,
  type EventStream,
  errorBody,
  errorInWords,
  failureIn,
  isEnveloped,
  isNativeBody,
  nativeAnswer,
  protocolModules,
  protocolOfEvent,
  streamingProtocolOf,
  undecidedError,
} from '../protocols/index.ts';
import { remembered } from '../wire/index.ts';
import {
  causeOf,
  isLost,
  type Judged,
  no,
  noneBut,
  transientIn,
  undecided,
  yes,
} from './judged.ts';
import { inWords, outcome, requestInWords } from './wording.ts';

export const aServedAnswer = 'a served answer: 2xx with the native body, or a stream to its end';

export interface ServedOptions {
  /** True for a recovery after the last event: a stream without events of the protocol suffices. */
  readonly nothingLeft?: boolean;
  /** True for the stream of a run that was stopped, whose end no source defines. */
  readonly stopped?: boolean;
}

/**
 * Judges a served answer: 2xx and the native body, or a stream or a socket turn with its native end. A stream that
 * we cut ourselves counts as served. A run that ended as `failed` is undecided: it has no answer, and yet the
 * protocol allows it.
 */
export function served(exchange: Exchange, options: ServedOptions = {}): Judged {
  return options.nothingLeft || options.stopped ? read(exchange, options) : ordinarily(exchange);
}

/** Cached, because most requirements need it. */
const ordinarily = remembered((exchange) => read(exchange, {}));

function read(exchange: Exchange, options: ServedOptions): Judged {
  const { response, socket, failure } = exchange;
  const transient = transientIn(exchange);
  if (transient !== null) return { state: 'undecided', ...transient };
  if (response === null) return noneBut(exchange);
  if (socket === null) {
    // A good body in response to an upgrade opens no WebSocket.
    const good = response.status >= 200 && response.status < 300;
    if (!good || /^wss?:/i.test(exchange.request.url)) return noneBut(exchange);
  }
  const answer = answerOf(exchange);
  if (answer.form === 'events') return servedStream(exchange, answer.stream, options);
  if (failure !== null && failure.kind !== 'cut') {
    return no(`${response.status}, and then ${inWords(failure)}`);
  }
  return servedBody(exchange, answer);
}

/** True if a request was served, for code that depends on it. See `toBeServed`. */
export function isServed(exchange: Exchange, options: ServedOptions = {}): boolean {
  return served(exchange, options).state === 'yes';
}

/** True for a deletion or a cancel that took effect: answered with 2xx, or found done later. */
export function isCarriedOut({ response, carriedOut }: Exchange): boolean {
  return (
    carriedOut === true || (response !== null && response.status >= 200 && response.status < 300)
  );
}

/** True if a request was answered and not served, for no transient reason. */
export function isUnserved(exchange: Exchange): boolean {
  return served(exchange).state === 'no';
}

function servedBody(exchange: Exchange, answer: Answer): Judged {
  const native = nativeAnswer(exchange);
  const { request } = exchange;
  // Natively the answer to a delete has no body, or one that only an example shows.
  if (native?.isDeletion && answer.form === 'empty') return yes;
  if (answer.form !== 'json' || isEnveloped(exchange)) return noneBut(exchange);
  const body = answer.value;
  if (errorBody(exchange) !== null) return noneBut(exchange);
  if (native === null ? !isObject(body) : !isNativeBody(native, body)) return noneBut(exchange);
  if (asksForStream(exchange)) return no(`${outcome(exchange)}, where a stream was asked for`);
  if (native?.isDeletion && Array.isArray(at(body, 'output')) && at(body, 'deleted') !== true) {
    // Neither documented nor forbidden.
    return undecided(
      'ambiguous',
      `${requestInWords(exchange)} was answered with a whole response, as a lookup is: it does not say that anything was deleted`,
    );
  }
  // A copy of the request is no answer.
  if (native?.isUnspecified && request.body !== null) {
    const sent = parsed(new TextDecoder().decode(request.body));
    if (shown(sent, Number.MAX_SAFE_INTEGER) === shown(body, Number.MAX_SAFE_INTEGER)) {
      return no('the body of the request, sent back');
    }
  }
  return native?.isResponse ? ranWell(exchange, body) : yes;
}

function ranWell(exchange: Exchange, response: unknown): Judged {
  const error = failureIn(response);
  if (error === null) return yes;
  const why = undecidedError(error);
  return undecided(
    why?.cause ?? 'ambiguous',
    `${requestInWords(exchange)}: the run failed${why === null ? '' : ` (${why.words})`}: ${errorInWords(error)}`,
  );
}

/** True if the request asks for a stream, by its path, its query or its body. */
export const asksForStream: (exchange: Exchange) => boolean = remembered(readsAsStream);

function readsAsStream({ request }: Exchange): boolean {
  if (/:streamGenerateContent(\?|$)/.test(request.url)) return true;
  if (URL.canParse(request.url) && new URL(request.url).searchParams.get('stream') === 'true') {
    return true;
  }
  const body = request.body === null ? null : parsed(new TextDecoder().decode(request.body));
  return isObject(body) && body.stream === true;
}

/** Judges a stream, even if none was requested: another requirement judges that. */
function servedStream(
  exchange: Exchange,
  stream: EventStream,
  { nothingLeft = false, stopped = false }: ServedOptions,
): Judged {
  if (errorBody(exchange) !== null || isEnveloped(exchange)) return noneBut(exchange);
  const protocol = streamingProtocolOf(exchange);
  const own = stream.events.filter(
    (event) => protocol !== null && protocolOfEvent(event) === protocol,
  );
  const end = stream.events.find(
    (event) => protocol !== null && protocolModules[protocol].stream.isEnd(event),
  );
  if (end === undefined && isLost(exchange.failure)) {
    const { failure } = exchange;
    return undecided(
      causeOf(failure) ?? 'unreachable',
      `${requestInWords(exchange)}: ${inWords(failure)}`,
    );
  }
  if (own.length === 0) {
    const isEmpty = stream.events.every((event) => protocolOfEvent(event) === null);
    return (nothingLeft || stopped) && isEmpty ? yes : noneBut(exchange);
  }
  if (end === undefined) {
    return stream.cut || stopped
      ? yes
      : no(`${outcome(exchange)}; the stream stops before its native end`);
  }
  return ranWell(exchange, at(end.json, 'response'));
}
