import { type Exchange, type FailureKind, parsed, type SocketFrame } from '../core/index.ts';
import type { ServerSentEvent } from '../wire/index.ts';
import { headerValues, json, remembered, serverSentEvents, text } from '../wire/index.ts';
import type { EventStream, StreamEvent } from './grammar.ts';

/** Parsed answer, by its form. */
export type Answer =
  | { readonly form: 'json'; readonly value: unknown }
  /** An event stream, or the frames of a WebSocket. */
  | { readonly form: 'events'; readonly stream: EventStream }
  /** A body that is neither; bytes that are no UTF-8 are described. */
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'empty' }
  /** No status line came. */
  | { readonly form: 'none' };

/** The answer of an exchange, parsed once. */
export const answerOf = remembered(parse);

/** The JSON of an answer as it was written: its body, or the data of its events or frames. */
export function jsonTexts(exchange: Exchange): readonly string[] {
  const answer = answerOf(exchange);
  if (answer.form === 'events') {
    return answer.stream.events.flatMap(({ data, json: value }) =>
      value === undefined ? [] : [data],
    );
  }
  const body = text(exchange);
  return answer.form === 'json' && body.ok ? [body.value] : [];
}

/** Ends of an exchange that the gateway did not choose: what it would have sent, nobody knows. */
const endsOurs: ReadonlySet<FailureKind> = new Set([
  'cut',
  'timeout',
  'interrupted',
  'out-of-time',
  'unreachable',
  'proxy',
  'ended',
  'closed',
  'too-large',
]);

function parse(exchange: Exchange): Answer {
  const { response, socket, failure } = exchange;
  const cut = failure !== null && endsOurs.has(failure.kind);
  if (socket !== null) {
    const events = socket.frames.filter(({ from }) => from === 'gateway').map(eventOfFrame);
    return { form: 'events', stream: { transport: 'socket', events, closed: true, cut } };
  }
  if (response === null) return { form: 'none' };
  const value = json(exchange);
  if (value.ok) return { form: 'json', value: value.value };
  const body = text(exchange);
  // By its look too: whether the content type says so is a requirement of its own.
  const looksLikeEvents = body.ok && /^\uFEFF?(:|(event|data|id|retry):)/.test(body.value);
  if (looksLikeEvents || saysEventStream(exchange)) {
    return { form: 'events', stream: streamOf(exchange, cut) };
  }
  if (!body.ok) return { form: 'text', text: body.reason };
  return body.value.trim() === '' ? { form: 'empty' } : { form: 'text', text: body.value };
}

function saysEventStream(exchange: Exchange): boolean {
  return headerValues(exchange, 'content-type').some((type) => /^text\/event-stream\b/i.test(type));
}

function streamOf(exchange: Exchange, cut: boolean): EventStream {
  const { events, unclosed } = serverSentEvents(exchange);
  // An unclosed event counts: that it is not closed is told once, and not all that would be missing.
  // Where the end is not the gateway's, half an event is not its doing either.
  const isHalf = cut && unclosed !== null && parsed(unclosed.data) === undefined;
  const all = unclosed === null || isHalf ? events : [...events, unclosed];
  return { transport: 'sse', events: all.map(eventOf), closed: unclosed === null, cut };
}

function eventOf({ event, data, hasEvent, hasId }: ServerSentEvent): StreamEvent {
  const name = hasEvent ? (event ?? '') : undefined;
  return { name, hasId, data, json: parsed(data), binary: false };
}

function eventOfFrame(frame: SocketFrame): StreamEvent {
  const data = new TextDecoder().decode(frame.data);
  const binary = frame.kind === 'binary';
  return { name: undefined, hasId: false, data, json: parsed(data), binary };
}
