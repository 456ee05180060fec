import { isInteger, isObject, type JsonObject, shown, textAt } from '../../core/index.ts';
import { type EventStream, type Findings, isDone, type StreamEvent } from '../grammar.ts';
import { eventViolations, violationInWords } from '../schemas.ts';
import { ViolationLog } from '../violation-log.ts';
import { statusAtEnd, terminalTypes } from './events.ts';
import { ResponsesItems } from './grammar-items.ts';
import type { Rule } from './rules.ts';

interface ResponsesOptions {
  /** Sequence number before the first event, if the stream is a recovered tail. */
  readonly resumedAfter?: number;
  /** True if the run was cancelled during the stream. No source documents how such a stream ends. */
  readonly cancelled?: boolean;
}

export interface ResponsesFindings extends Findings<Rule> {
  /** Type of the event that ended the stream. Null if none did. */
  readonly terminal: string | null;
  readonly types: readonly string[];
  readonly sequenceNumbers: readonly number[];
  /** The text fragments, each with the sequence number of its event. */
  readonly numberedText: readonly { readonly number: number; readonly text: string }[];
  /** Ids of the output items, by their index. */
  readonly itemIds: ReadonlyMap<number, string>;
}

/** Statuses that the response may have in the events before the last one. */
const runningStatuses: Readonly<Record<string, readonly string[]>> = {
  'response.created': ['queued', 'in_progress'],
  'response.queued': ['queued'],
  'response.in_progress': ['in_progress'],
};

/** Judges a stream, or one turn on a WebSocket, by the grammar of the Responses API. */
export function judgeResponses(
  stream: EventStream,
  options: ResponsesOptions = {},
): ResponsesFindings {
  return new ResponsesGrammar(stream, options).judge();
}

class ResponsesGrammar {
  readonly #stream: EventStream;
  readonly #resumedAfter: number | null;
  readonly #log: ViolationLog<Rule>;
  readonly #items: ResponsesItems;
  readonly #types: string[] = [];
  readonly #numberedText: { readonly number: number; readonly text: string }[] = [];
  readonly #numbers: SequenceNumbers;
  #started = false;
  readonly #mayCancel: boolean;
  #cancelled: boolean;
  #terminal: { type: string; index: number; response: JsonObject | null } | null = null;
  #erredAt: number | null = null;
  #done = false;
  #id: string | null = null;
  /** Reason why the end does not show the final state of the items, or null. */
  #late: string | null = null;
  /** Reason why an event could not be identified, so that its effect is unknown, or null. */
  #lost: string | null = null;

  constructor(stream: EventStream, { resumedAfter, cancelled = false }: ResponsesOptions) {
    this.#stream = stream;
    this.#resumedAfter = resumedAfter ?? null;
    this.#mayCancel = cancelled;
    this.#cancelled = cancelled;
    this.#log = new ViolationLog(stream.events);
    this.#numbers = new SequenceNumbers(this.#log, resumedAfter ?? null);
    this.#items = new ResponsesItems(this.#log, resumedAfter !== undefined);
  }

  judge(): ResponsesFindings {
    for (const [index, event] of this.#stream.events.entries()) this.#read(index, event);
    this.#finish();
    return {
      violations: this.#log.violations(),
      unjudged: this.#log.unjudged,
      ownEvents: this.#types.length,
      terminal: this.#terminalType(),
      types: this.#types,
      sequenceNumbers: this.#numbers.seen,
      numberedText: this.#numberedText,
      itemIds: this.#items.ids(),
    };
  }

  #read(index: number, event: StreamEvent): void {
    if (isDone(event)) {
      if (this.#done) this.#afterTheEnd(index, 'a second [DONE]');
      this.#done = true;
      return;
    }
    if (this.#log.isForeign(index, 'responses', 'events of the Responses API')) return;
    const body = event.binary ? undefined : event.json;
    if (!isObject(body)) {
      const actual = event.binary ? 'a binary frame' : `data that is no JSON object: ${event.data}`;
      this.#log.violate('events-typed', index, 'a JSON object with a string type', actual);
      this.#lose(index, 'cannot be read');
      this.#numbers.lose(index);
      return;
    }
    if (typeof body.type !== 'string') {
      const actual = `type: ${shown(body.type)}`;
      this.#log.violate('events-typed', index, 'a string type in each event', actual);
    }
    const type = typeof body.type === 'string' ? body.type : event.name;
    this.#name(index, event.name, typeof body.type === 'string' ? body.type : null);
    if (this.#isOver(type)) {
      this.#afterTheEnd(index, type ?? 'an event without a type');
      return;
    }
    this.#numbers.read(index, body, type);
    if (type === 'response.output_text.delta' && isInteger(body.sequence_number)) {
      const text = textAt(body, 'delta') ?? '';
      this.#numberedText.push({ number: body.sequence_number, text });
    }
    if (type === undefined) this.#lose(index, 'has no type');
    else this.#typed(index, type, { ...body, type });
  }

  #terminalType(): string | null {
    return this.#terminal?.type ?? (this.#erredAt === null ? null : 'error');
  }

  #lose(index: number, why: string): void {
    this.#lost ??= `event ${index} ${why}`;
    this.#items.lost = true;
  }

  #name(index: number, name: string | undefined, type: string | null): void {
    if (this.#stream.transport === 'socket' || type === null) return;
    if (name === undefined) {
      this.#log.violate('event-name-present', index, `a line event: ${type}`, 'no event: line');
    } else if (name !== type) {
      this.#log.violate('event-name-is-type', index, `event: ${type}`, `event: ${name}`);
    }
  }

  /** True if no further event is legal. After an `error` event, `response.failed` is. */
  #isOver(type: string | undefined): boolean {
    if (this.#done || this.#terminal !== null) return true;
    return this.#erredAt !== null && type !== 'response.failed';
  }

  #afterTheEnd(index: number, what: string): void {
    const expected = 'one terminal event as the last, then at most [DONE]';
    const actual = `${what} after ${this.#terminalType() ?? '[DONE]'}`;
    this.#log.violate('one-terminal-last', index, expected, actual);
    const isEnd = statusAtEnd(what) !== null || what.includes('[DONE]');
    if (!isEnd) this.#late = `event ${index} comes after the end`;
  }

  #typed(index: number, type: string, body: JsonObject): void {
    this.#types.push(type);
    this.#identity(index, body);
    const found = eventViolations('responses', type, body);
    // Unknown types are legal anywhere.
    if (found === null) return;
    const [problem] = found;
    if (problem !== undefined) {
      const expected = `${type} with the fields that all sources require`;
      this.#log.violate('known-event-shapes', index, expected, violationInWords(problem));
    }
    this.#order(index, type);
    if (type === 'error') {
      this.#erredAt = index;
    } else if (statusAtEnd(type) !== null) {
      this.#end(index, type, body);
    } else {
      this.#statusSoFar(index, type, body);
      this.#items.read(type, body, index);
    }
  }

  #statusSoFar(index: number, type: string, body: JsonObject): void {
    const expected = runningStatuses[type];
    const status = textAt(isObject(body.response) ? body.response : null, 'status');
    if (expected === undefined || status === null || status === 'cancelled') return;
    if (expected.includes(status)) return;
    const words = `${type} with status ${expected.join(' or ')}`;
    this.#log.violate('status-while-running', index, words, `${type} with status ${status}`);
  }

  #identity(index: number, body: JsonObject): void {
    if (!isObject(body.response)) return;
    if (body.response.status === 'cancelled') this.#cancelled = true;
    const id = textAt(body.response, 'id');
    if (id === null || id === '') return;
    if (this.#id !== null && id !== this.#id) {
      this.#log.violate('ids-constant', index, `response.id ${this.#id}`, `response.id ${id}`);
    }
    this.#id ??= id;
  }

  #order(index: number, type: string): void {
    const first = !this.#started && this.#resumedAfter === null && this.#lost === null;
    const wrong = first
      ? type !== 'response.created' && type !== 'error'
      : type === 'response.created';
    // A recovered tail may start with `response.created` if it starts at the beginning.
    if (wrong && (first || this.#started)) {
      const expected = 'response.created as the first event, and only there';
      this.#log.violate('created-first', index, expected, type);
    }
    this.#started = true;
  }

  #end(index: number, type: string, body: JsonObject): void {
    const response = isObject(body.response) ? body.response : null;
    this.#terminal = { type, index, response };
    const status = textAt(response, 'status');
    const expected = statusAtEnd(type);
    // A cancelled run may end with any event but `response.completed`.
    const excused = status === 'cancelled' ? type !== 'response.completed' : this.#mayCancel;
    if (status === null || status === expected || excused) return;
    const actual = `${type} with status ${status}`;
    this.#log.violate('terminal-matches-status', index, `${type} with status ${expected}`, actual);
  }

  #finish(): void {
    const { events, cut } = this.#stream;
    const whole = this.#terminal !== null || this.#erredAt !== null;
    const nothing = !this.#started && this.#resumedAfter === null && this.#lost === null;
    if (nothing) {
      const expected = 'response.created as the first event';
      this.#log.violate('created-first', 0, expected, 'no such event');
    }
    if (!whole && !cut && !this.#cancelled && this.#lost === null && !this.#isEmptyTail()) {
      const expected = `one of ${terminalTypes.join(', ')} as the last`;
      const actual = `an end after ${this.#types.at(-1) ?? 'nothing'}`;
      this.#log.violate('one-terminal-last', events.length, expected, actual);
    }
    this.#numbers.finish();
    if (this.#late === null) this.#judgeItems();
    this.#withdraw(whole);
  }

  #judgeItems(): void {
    const { events } = this.#stream;
    const settled =
      this.#terminal?.type === 'response.completed' ||
      this.#terminal?.type === 'response.incomplete';
    this.#items.finish({
      index: this.#terminal?.index ?? events.length,
      settled: settled && !this.#cancelled,
      completed: this.#terminal?.type === 'response.completed',
      response: this.#terminal?.response ?? null,
    });
  }

  /** True for a recovery after the last event, which has no events. */
  #isEmptyTail(): boolean {
    return this.#resumedAfter !== null && this.#stream.events.length === 0;
  }

  #withdraw(whole: boolean): void {
    const content: readonly Rule[] = [
      'items-open-and-close',
      'parts-open-and-close',
      'deltas-join-to-text',
      'arguments-join',
    ];
    if (this.#lost !== null) {
      this.#log.suppress(
        [...content, 'created-first', 'indexes-append', 'ids-constant'],
        this.#lost,
      );
    }
    if (this.#late !== null) this.#log.suppress(content, this.#late);
    if (whole || this.#cancelled) return;
    const reason = this.#stream.cut ? 'the stream was interrupted' : 'the stream has no end';
    if (this.#isEmptyTail()) return;
    this.#log.suppress([...content, 'terminal-matches-status', 'one-terminal-last'], reason);
  }
}

/** The part of the Responses grammar that follows `sequence_number`. */
export class SequenceNumbers {
  readonly seen: number[] = [];
  readonly #log: ViolationLog<Rule>;
  #highest: number;
  #gap: { index: number; expected: string; actual: string } | null = null;
  /** Reason why a number that an event has or must have is missing, or null. */
  #missing: string | null = null;

  /** @param resumedAfter number before the first event of a recovered tail, or null for a whole stream */
  constructor(log: ViolationLog<Rule>, resumedAfter: number | null) {
    this.#log = log;
    this.#highest = resumedAfter ?? -1;
  }

  read(index: number, body: JsonObject, type: string | undefined): void {
    const number = body.sequence_number;
    if (!isInteger(number)) {
      // Errors and events outside of a response need no number.
      if (type?.startsWith('response.')) this.#missing ??= 'an event has no sequence_number';
      return;
    }
    if (number <= this.#highest) {
      const expected = `a sequence_number above ${this.#highest}`;
      const actual = `${number}${type === undefined ? '' : ` on ${type}`}`;
      this.#log.violate('sequence-increases', index, expected, actual);
    } else if (number !== this.#highest + 1) {
      const expected = `sequence_number ${this.#highest + 1}`;
      this.#gap ??= { index, expected, actual: `sequence_number ${number}` };
    }
    this.#highest = Math.max(this.#highest, number);
    this.seen.push(number);
  }

  /** Records an unreadable event, which may have had a number. */
  lose(index: number): void {
    this.#missing ??= `event ${index} cannot be read`;
  }

  /**
   * Judges the numbers. A number out of order also leaves a gap: only the order is reported, as the more serious error.
   */
  finish(): void {
    if (this.#missing !== null) {
      this.#log.suppress(['sequence-from-zero', 'sequence-increases'], this.#missing);
      return;
    }
    const gap = this.#gap;
    if (gap === null || this.#log.isBroken('sequence-increases')) return;
    this.#log.violate('sequence-from-zero', gap.index, gap.expected, gap.actual);
  }
}
