import { cutLine } from '../core/index.ts';

/** One event of a stream: an SSE event, or a WebSocket frame, which has no name. */
export interface StreamEvent {
  /** Value of the `event:` line. Undefined if there is none. */
  readonly name: string | undefined;
  /** True if the event has an `id:` line. */
  readonly hasId: boolean;
  readonly data: string;
  /** The data as JSON. Undefined if it is not JSON. */
  readonly json: unknown;
  /** True for a binary WebSocket frame. */
  readonly binary: boolean;
}

/** Input of a grammar: the events of one stream, or of one turn on a WebSocket. */
export interface EventStream {
  readonly transport: 'sse' | 'socket';
  readonly events: readonly StreamEvent[];
  /** False if no blank line closed the last event. That event is in `events`, unless only half of it was read. */
  readonly closed: boolean;
  /** True if Touchstone broke the connection or stopped waiting, so that the end is unknown. */
  readonly cut: boolean;
}

/** Facts about a stream in addition to its events. */
export interface GrammarOptions {
  /** Sequence number before the first event, if the stream is a recovered tail. */
  readonly resumedAfter?: number;
  /** True if the run was cancelled during the stream. No source documents how such a stream ends. */
  readonly cancelled?: boolean;
  /** The expected text of the whole stream, if it is known: fixture models give the same answer twice. */
  readonly text?: string;
}

/** The first event that broke a rule. */
export interface Violation<Rule extends string = string> {
  /** Last part of the requirement's id: `created-first`. */
  readonly rule: Rule;
  /** Position of the event in the stream. The number of events if something is missing at the end. */
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
  /** The event, its predecessor and its successor, as text. */
  readonly neighbours: readonly string[];
}

/** Result of a grammar: the defects of a stream. `content.ts` of the protocol reads its content. */
export interface Findings<Rule extends string = string> {
  /** At most one per rule, and each defect only violates one rule. */
  readonly violations: readonly Violation<Rule>[];
  /** Rules that another defect makes impossible to judge, each with that reason. */
  readonly unjudged: ReadonlyMap<string, string>;
  /** Number of events that belong to the grammar's protocol. */
  readonly ownEvents: number;
}

export interface ToolCall {
  readonly name: string | null;
  /** Null if the protocol has none. */
  readonly id: string | null;
  /** JSON text. The object of generative-content is serialised. */
  readonly arguments: string;
}

/** Terminator of some protocols' streams. It is not JSON. */
const doneMarker = '[DONE]';

/** True for `data: [DONE]`. */
export function isDone(event: StreamEvent): boolean {
  return event.data.trim() === doneMarker;
}

/** Short form of an event: `event response.created {"type":…`. */
export function eventInWords(event: StreamEvent): string {
  if (event.binary) return 'a binary frame';
  const data = cutLine(event.data, 160);
  return event.name === undefined ? data : `event ${event.name}: ${data}`;
}
