import { cut } from '../core/json-value.ts';
import type { StreamingProtocol } from '../core/protocol.ts';

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

/** What a grammar reads: the events of one stream, or of one turn on a WebSocket. */
export interface EventStream {
  readonly transport: 'sse' | 'socket';
  readonly events: readonly StreamEvent[];
  /** False when no blank line closed the last event; it is in `events` all the same. */
  readonly closed: boolean;
  /** We broke the connection off ourselves, or waited no longer: the end was never seen. */
  readonly cut: boolean;
}

/** The first event that broke a rule. */
export interface Violation {
  /** Last part of the requirement's id: `created-first`. */
  readonly rule: string;
  /** Position of the event in the stream; the number of events when something is missing at the end. */
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
  /** The event with the one before and the one after it, as text. */
  readonly neighbours: readonly string[];
}

/** What every grammar gives. */
export interface Findings {
  /** At most one for each rule: a defect breaks its own rule, once. */
  readonly violations: readonly Violation[];
  /** Rules that could not be judged because another defect stands in the way, with that reason. */
  readonly unjudged: ReadonlyMap<string, string>;
  /** How many events belong to the protocol of the grammar. */
  readonly ownEvents: number;
  /** The generated text, joined from its fragments. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Status, finish reason or stop reason, as the protocol names it. */
  readonly ending: string | null;
  /** The native usage object that came last. */
  readonly usage: unknown;
  readonly id: string | null;
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
export const doneMarker = '[DONE]';

/** True for `data: [DONE]`. */
export function isDone(event: StreamEvent): boolean {
  return event.data.trim() === doneMarker;
}

/**
 * The protocol whose stream an event belongs to beyond doubt; null for what could stand in any
 * (`error`, `ping`, an event that nobody knows).
 */
export function protocolOfEvent(event: StreamEvent): StreamingProtocol | null {
  const body = typeof event.json === 'object' && event.json !== null ? event.json : {};
  const type = 'type' in body && typeof body.type === 'string' ? body.type : event.name;
  if (type !== undefined) {
    if (type.startsWith('response.')) return 'responses';
    if (/^(message_(start|delta|stop)|content_block_(start|delta|stop))$/.test(type)) {
      return 'messages';
    }
    // No other protocol numbers its events.
    if ('sequence_number' in body) return 'responses';
  }
  if ('type' in body) return null;
  if ('object' in body && body.object === 'chat.completion.chunk') return 'chat-completions';
  if ('choices' in body && Array.isArray(body.choices)) return 'chat-completions';
  if ('candidates' in body || 'usageMetadata' in body || 'promptFeedback' in body) {
    return 'generative';
  }
  return null;
}

/** Collects violations: the first of each rule, with its neighbours. */
export class ViolationLog {
  readonly #events: readonly StreamEvent[];
  readonly #first = new Map<string, Violation>();
  readonly unjudged = new Map<string, string>();

  constructor(events: readonly StreamEvent[]) {
    this.#events = events;
  }

  /** @param index of the event; the number of events when the end is where something is missing */
  violate(rule: string, index: number, expected: string, actual: string): void {
    if (this.#first.has(rule)) return;
    const neighbours: string[] = [];
    for (let i = Math.max(0, index - 1); i <= index + 1; i++) {
      const event = this.#events[i];
      if (event !== undefined) neighbours.push(`${i}: ${eventInWords(event)}`);
    }
    this.#first.set(rule, { rule, index, expected, actual, neighbours });
  }

  /**
   * True for an event of another protocol's stream, which breaks a rule that all grammars have.
   *
   * @param expected what belongs here, in words
   */
  isForeign(index: number, own: StreamingProtocol, expected: string): boolean {
    const event = this.#events[index];
    const protocol = event === undefined ? null : protocolOfEvent(event);
    if (protocol === null || protocol === own) return false;
    this.violate('no-foreign-events', index, `${expected} only`, `an event of ${protocol}`);
    return true;
  }

  isBroken(rule: string): boolean {
    return this.#first.has(rule);
  }

  /** Withdraws the judgement on rules that another defect keeps from being judged. */
  suppress(rules: readonly string[], reason: string): void {
    for (const rule of rules) if (!this.#first.has(rule)) this.unjudged.set(rule, reason);
  }

  violations(): readonly Violation[] {
    return [...this.#first.values()].sort((a, b) => a.index - b.index);
  }
}

/** `event response.created {"type":…`, short. */
export function eventInWords(event: StreamEvent): string {
  if (event.binary) return 'a binary frame';
  const data = cut(event.data, 160);
  return event.name === undefined ? data : `event ${event.name}: ${data}`;
}
