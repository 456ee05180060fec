import { cutLine } from '../core/index.ts';

/** One event of a stream: an SSE event, or a WebSocket frame (which has no name). */
export interface StreamEvent {
  /** The `event:` line; undefined where there is none. */
  readonly name: string | undefined;
  /** True when an `id:` line stood in the event. */
  readonly hasId: boolean;
  readonly data: string;
  /** The data as JSON; undefined when it is none. */
  readonly json: unknown;
  /** A binary WebSocket frame. */
  readonly binary: boolean;
}

/** Input of a grammar: the events of one stream, or of one turn on a WebSocket. */
export interface EventStream {
  readonly transport: 'sse' | 'socket';
  readonly events: readonly StreamEvent[];
  /** False when no blank line closed the last event; it is in `events`, unless we read but half of it. */
  readonly closed: boolean;
  /** We broke the connection off ourselves, or waited no longer: the end was never seen. */
  readonly cut: boolean;
}

/** Facts about a stream in addition to its events. */
export interface GrammarOptions {
  /** The stream is a recovered tail: its events are those after this sequence number. */
  readonly resumedAfter?: number;
  /** The run was cancelled while it streamed: how the stream then ends is documented nowhere. */
  readonly cancelled?: boolean;
  /** The text that the stream must come to, where it is known: fixture models answer alike twice. */
  readonly text?: string;
}

/** The first event that broke a rule. */
export interface Violation<Rule extends string = string> {
  /** Last part of the requirement's id: `created-first`. */
  readonly rule: Rule;
  /** Position of the event in the stream; the number of events when something is missing at the end. */
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
  /** The event with the one before and the one after it, as text. */
  readonly neighbours: readonly string[];
}

/** Result of a grammar: the defects of a stream. Its content is read by `content.ts` of the protocol. */
export interface Findings<Rule extends string = string> {
  /** At most one for each rule: a defect breaks its own rule, once. */
  readonly violations: readonly Violation<Rule>[];
  /** Rules that could not be judged because another defect stands in the way, with that reason. */
  readonly unjudged: ReadonlyMap<string, string>;
  /** Number of events that belong to the protocol of the grammar. */
  readonly ownEvents: number;
}

/** A function that the model wants called. */
export interface ToolCall {
  readonly name: string | null;
  /** Null where the protocol gives none. */
  readonly id: string | null;
  /** JSON text; on generative-content, which sends an object, that object as text. */
  readonly arguments: string;
}

/** The terminator of some protocols: no JSON. */
const doneMarker = '[DONE]';

/** True for `data: [DONE]`. */
export function isDone(event: StreamEvent): boolean {
  return event.data.trim() === doneMarker;
}

/** `event response.created {"type":…`, short. */
export function eventInWords(event: StreamEvent): string {
  if (event.binary) return 'a binary frame';
  const data = cutLine(event.data, 160);
  return event.name === undefined ? data : `event ${event.name}: ${data}`;
}
