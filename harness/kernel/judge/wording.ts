import {
  belowStage,
  cutLine,
  type Exchange,
  type ExchangeFailure,
  isObject,
  parsed,
  shown,
} from '../core/index.ts';
import {
  answerOf,
  contentOf,
  errorBody,
  errorInWords,
  eventInWords,
  hasGeneratedContent,
  isEnveloped,
} from '../protocols/index.ts';
import { headerValues } from '../wire/index.ts';

/** Returns the outcome of an exchange in one line: `404 with the error not_found_error: …`. */
export function outcome(exchange: Exchange): string {
  const { response, socket, failure } = exchange;
  const broken = failure === null || failure.kind === 'cut' ? '' : `; then ${inWords(failure)}`;
  if (response === null) return failure === null ? 'no answer' : `no answer: ${inWords(failure)}`;
  if (socket === null) return `${response.status} with ${contents(exchange)}${broken}`;
  const close = socket.close;
  const closed =
    close === null || close.by === 'us'
      ? ''
      : `, closed by the gateway with ${close.code}${close.reason === '' ? '' : ` (${close.reason})`}`;
  return `an open WebSocket with ${contents(exchange)}${closed}${broken}`;
}

/** Returns the content of an answer in words: `a generated answer: “…”`. */
function contents(exchange: Exchange): string {
  const answer = answerOf(exchange);
  switch (answer.form) {
    case 'none':
    case 'empty':
      return 'an empty body';
    case 'text': {
      const type = headerValues(exchange, 'content-type')[0];
      return `a body that is not JSON (${type ?? 'no content type'}): ${cutLine(answer.text)}`;
    }
    case 'json':
    case 'events': {
      if (isEnveloped(exchange)) return `an envelope around the body: ${excerpt(exchange)}`;
      const error = errorBody(exchange);
      const what = hasGeneratedContent(exchange) ? generated(exchange) : null;
      if (what !== null) return error === null ? what : `${what} and an error`;
      return error === null ? excerpt(exchange) : `the error ${errorInWords(error)}`;
    }
  }
}

function generated(exchange: Exchange): string {
  const text = contentOf(exchange).text;
  return text === ''
    ? `generated content: ${excerpt(exchange)}`
    : `a generated answer: “${cutLine(text, 120)}”`;
}

function excerpt(exchange: Exchange): string {
  const answer = answerOf(exchange);
  if (answer.form === 'json') return `JSON ${shown(answer.value)}`;
  if (answer.form !== 'events') return 'nothing';
  const { events, transport } = answer.stream;
  const noun = `${transport === 'sse' ? 'event' : 'frame'}${events.length === 1 ? '' : 's'}`;
  const last = events.at(-1);
  if (last === undefined) return `no ${noun}`;
  return `${events.length} ${noun}, the last of them ${cutLine(eventInWords(last))}`;
}

/** Returns the reason why an answer is missing or incomplete: `the connection broke (…)`. */
export function inWords(failure: ExchangeFailure): string {
  const what: Readonly<Record<ExchangeFailure['kind'], string>> = {
    unreachable: 'the gateway could not be reached',
    proxy: 'the way through the proxy failed',
    'local-resources': 'this machine has no room for another connection',
    reset: 'the connection broke before the message was complete',
    closed: 'the connection, which had been kept, broke before anything came',
    ended: 'the gateway ended before the message was complete',
    timeout: 'the time-out of the exchange ran out',
    'not-http': 'what came is not HTTP',
    unread: 'Touchstone could not read what came',
    'too-large': 'the response was larger than the limit',
    undecodable: 'the body does not decode by its content coding',
    'locked-out': 'the gateway had locked us out',
    cut: 'the test closed the connection on purpose',
    interrupted: 'the run was interrupted',
    'out-of-time': 'out of time',
    'over-budget': 'over budget',
  };
  return failure.message === '' ? what[failure.kind] : `${what[failure.kind]} (${failure.message})`;
}

/** Returns `POST /v1/responses`. A path with an oversized id is cut in the middle. */
export function requestInWords({ request }: Exchange): string {
  const path = URL.canParse(request.url) ? belowStage(new URL(request.url).pathname) : request.url;
  const shown = path.length <= longestPath ? path : `${path.slice(0, 80)}…${path.slice(-40)}`;
  return `${request.method} ${shown}`;
}

const longestPath = 200;

/**
 * Returns `POST /v1/chat/completions with stream: true, max_completion_tokens: 16`: a request, and what it asks for
 * beside a model and a conversation.
 */
export function sentInWords(exchange: Exchange): string {
  const { request, socket } = exchange;
  const sent = request.body ?? socket?.frames.find(({ from }) => from === 'us')?.data;
  const body = sent === undefined ? null : parsed(new TextDecoder().decode(sent));
  const members = isObject(body) ? Object.entries(body).filter(([name]) => !common.has(name)) : [];
  const words = members.map(([name, value]) => `${name}: ${shown(value, 24)}`);
  const more = words.length > mostMembers ? ', …' : '';
  const told = words.slice(0, mostMembers).join(', ');
  return `${requestInWords(exchange)}${told === '' ? '' : ` with ${told}${more}`}`;
}

/** Members of almost every request, which do not set one apart. */
const common = new Set(['model', 'messages', 'input', 'contents', 'stream_options']);
const mostMembers = 4;

/** Cuts a text on one line to what stands around a part of it: `“… five six seven eight …”`. */
export function cutAround(text: string, part: string, limit = 60): string {
  const words = text.replace(/\s+/g, ' ').trim();
  const at = Math.max(0, words.indexOf(part));
  const from = Math.max(0, at - Math.floor((limit - part.length) / 2));
  const to = Math.max(at + part.length, from + limit);
  return `“${from === 0 ? '' : '…'}${words.slice(from, to)}${to < words.length ? '…' : ''}”`;
}
