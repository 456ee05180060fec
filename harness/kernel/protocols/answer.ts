import { type Exchange, type FailureKind, parsed, type SocketFrame } from '../core/index.ts';
import type { ServerSentEvent } from '../wire/index.ts';
import { headerValues, json, remembered, serverSentEvents, text } from '../wire/index.ts';
import type { EventStream, StreamEvent } from './grammar.ts';

export type Answer = Form & {
  /** The JSON body; undefined for any other form. */
  readonly value?: unknown;
  /** The events or frames; empty for any other form. */
  readonly events: readonly StreamEvent[];
  /** All its JSON values: the body, or the data of each event of a stream or turn. */
  readonly values: readonly unknown[];
  /** Texts of these values, as they were sent. */
  readonly texts: readonly string[];
};

type Form =
  | { readonly form: 'json'; readonly value: unknown }
  /** An event stream, or the frames of a WebSocket. */
  | { readonly form: 'events'; readonly stream: EventStream }
  /** A body of any other form. Bytes that are not UTF-8 are described in words. */
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'empty' }
  /** No status line was received. */
  | { readonly form: 'none' };

/** The answer of an exchange, parsed once. */
export const answerOf = remembered((exchange): Answer => {
  const form = parse(exchange);
  if (form.form === 'events') {
    const { events } = form.stream;
    const isJson = ({ json }: StreamEvent): boolean => json !== undefined;
    return {
      ...{ ...form, events },
      get values() {
        return events.map(({ json }) => json);
      },
      get texts() {
        return events.filter(isJson).map(({ data }) => data);
      },
    };
  }
  const body = text(exchange);
  const isRead = form.form === 'json' && body.ok;
  const values = form.form === 'json' ? [form.value] : [];
  return { ...form, events: [], values, texts: isRead ? [body.value] : [] };
});

/** Failures that the gateway did not choose, so that the rest of its answer is unknown. */
const endsOurs: ReadonlySet<FailureKind> = new Set([
  'cut',
  'timeout',
  'interrupted',
  'out-of-time',
  'over-budget',
  'unreachable',
  'proxy',
  'ended',
  'closed',
  'too-large',
]);

function parse(exchange: Exchange): Form {
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
  // Also detected by content: a separate requirement checks the content type.
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
  // An unclosed event counts, so that a missing blank line is reported once instead of all its consequences. Half an
  // event where the connection broke later is no error of its form: the break itself is judged.
  const isHalf =
    (cut || (exchange.failure !== null && events.length > 0)) &&
    unclosed !== null &&
    parsed(unclosed.data) === undefined;
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
