import { at, isObject, type JsonObject, numberAt, shown, textAt } from '../../core/json-value.ts';
import { errorIn } from '../error-body.ts';
import {
  type EventStream,
  type Findings,
  isDone,
  type StreamEvent,
  ViolationLog,
} from '../grammar.ts';
import { judgeSilence, tokensOfBlocks } from '../grammar-silence.ts';
import { eventViolations, violationInWords } from '../schemas.ts';
import { messagesContent } from './content.ts';
import { MessageBlocks } from './grammar-blocks.ts';

export interface MessagesOptions {
  /** The text that the stream must come to, where it is known. */
  readonly text?: string;
}

/** Stop reasons of a message that ends wherever it was, in the middle of a call's arguments, too. */
const truncated: ReadonlySet<string | null> = new Set([
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
]);

/** What an event might have broken, or kept, that cannot be read. */
const suppressedByMalformedEvent = [
  'blocks-open-and-close',
  'no-overlap',
  'deltas-join-to-text',
  'arguments-join',
  'stop-reason-before-stop',
  'usage-present',
  'indexes-in-order',
];

/** Judges a stream by the grammar of the Messages API. */
export function judgeMessages(stream: EventStream, options: MessagesOptions = {}): Findings {
  return new MessagesGrammar(stream, options).judge();
}

class MessagesGrammar {
  readonly #stream: EventStream;
  readonly #options: MessagesOptions;
  readonly #log: ViolationLog;
  readonly #blocks: MessageBlocks;
  #started = false;
  /** Some event of a message came before, or without, `message_start`. */
  #began = false;
  #stoppedAt: number | null = null;
  #reason: string | null = null;
  #reasonAt: number | null = null;
  #deltaAt: number | null = null;
  #counted = false;
  #erred = false;
  #own = 0;
  #lost: string | null = null;

  constructor(stream: EventStream, options: MessagesOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#log = new ViolationLog(stream.events);
    this.#blocks = new MessageBlocks(this.#log);
  }

  judge(): Findings {
    for (const [index, event] of this.#stream.events.entries()) this.#read(index, event);
    const { id, toolCalls, usage } = messagesContent.fromEvents(this.#stream);
    const { text } = this.#blocks;
    this.#finish(text);
    this.#blocks.fragments.judge(this.#log);
    return {
      violations: this.#log.violations(),
      unjudged: this.#log.unjudged,
      ownEvents: this.#own,
      text,
      toolCalls,
      ending: this.#reason,
      usage,
      id,
    };
  }

  #read(index: number, event: StreamEvent): void {
    if (isDone(event)) {
      this.#log.violate('message-stop-last', index, 'message_stop as the end', '[DONE]');
      return;
    }
    if (this.#log.isForeign(index, 'messages', 'events of the Messages API')) return;
    const { name, json } = event;
    const own = textAt(json, 'type');
    if (name !== own) {
      const expected = own === null ? 'a JSON object with a string type' : `event: ${own}`;
      const actual =
        own === null ? event.data : name === undefined ? 'no event: line' : `event: ${name}`;
      this.#log.violate('event-name-is-type', index, expected, actual);
    }
    const type = own ?? name;
    if (type === undefined || !isObject(json)) {
      this.#lost ??= `event ${index} cannot be read`;
      this.#blocks.tolerant = true;
      return;
    }
    this.#typed(index, type, { ...json, type });
  }

  #typed(index: number, type: string, body: JsonObject): void {
    this.#own++;
    if (this.#stoppedAt !== null && type !== 'ping') {
      this.#log.violate('message-stop-last', index, 'message_stop once, as the last', type);
      // It came too late, but it came.
      if (type === 'message_delta') this.#delta(index, body);
      return;
    }
    const found = eventViolations('messages', type, body);
    // Types that nobody knows are legal anywhere.
    if (found === null || type === 'ping') return;
    const [problem] = found;
    if (problem !== undefined) {
      const expected = `${type} with the required fields`;
      this.#log.violate('known-event-shapes', index, expected, violationInWords(problem));
      this.#blocks.unsure ??= `event ${index} is malformed`;
    }
    if (errorIn(body) !== null) {
      this.#erred = true;
      return;
    }
    if (type === 'message_start') this.#start(index, body);
    else this.#within(index, type, body);
  }

  #start(index: number, body: JsonObject): void {
    const rule = 'message-start-once-first';
    const expected = 'one message_start, as the first event';
    if (this.#started) {
      this.#log.violate(rule, index, expected, 'a second one');
      return;
    }
    if (this.#began) this.#log.violate(rule, index, expected, 'one after other events');
    this.#started = true;
    const content = at(body, 'message.content');
    const empty = Array.isArray(content) && content.length === 0;
    if (isObject(body.message) && (!empty || at(body, 'message.stop_reason') !== null)) {
      const actual = shown({ content, stop_reason: at(body, 'message.stop_reason') });
      this.#log.violate(rule, index, 'content [] and stop_reason null in message_start', actual);
    }
    const usage = at(body, 'message.usage');
    const counts = [numberAt(usage, 'input_tokens'), numberAt(usage, 'output_tokens')];
    if (!isObject(body.message) || !counts.includes(null)) return;
    const wanted = 'usage with input_tokens and output_tokens in message_start';
    this.#log.violate('usage-present', index, wanted, shown(usage));
  }

  #within(index: number, type: string, body: JsonObject): void {
    if (!this.#started && this.#lost === null) {
      const expected = 'message_start as the first event';
      this.#log.violate('message-start-once-first', index, expected, type);
    }
    this.#began = true;
    if (type.startsWith('content_block_')) {
      if (this.#reasonAt !== null) {
        const expected = 'the message_delta with the stop_reason after all blocks';
        this.#log.violate('stop-reason-before-stop', index, expected, `${type} after it`);
      }
      this.#blocks.read(type, body, index);
    } else if (type === 'message_delta') {
      this.#delta(index, body);
    } else {
      // `message_stop`: no other type is known.
      this.#stoppedAt = index;
    }
  }

  #delta(index: number, body: JsonObject): void {
    this.#deltaAt = index;
    // What the last one says is what a client ends up with.
    this.#counted = numberAt(body, 'usage.output_tokens') !== null;
    const reason = textAt(body, 'delta.stop_reason');
    if (reason !== null) this.#reasonAt ??= index;
    this.#reason = reason ?? this.#reason;
  }

  #finish(text: string): void {
    const end = this.#stream.events.length;
    const excused = this.#stream.cut || this.#erred || this.#lost !== null;
    const whole = this.#stoppedAt !== null;
    const at = this.#stoppedAt ?? end;
    if (!this.#started && !excused) {
      const expected = 'message_start as the first event';
      this.#log.violate('message-start-once-first', 0, expected, 'no such event');
    }
    if (!whole && !excused) {
      this.#log.violate('message-stop-last', end, 'message_stop as the end', 'an end without it');
    }
    const known = !excused && this.#blocks.unsure === null;
    if (whole && known && this.#reason === null) {
      const expected = 'a message_delta with the stop_reason before message_stop';
      this.#log.violate('stop-reason-before-stop', at, expected, 'none');
    }
    // Of a stream that was broken off, another one may have come.
    if (known && this.#deltaAt !== null && !this.#counted) {
      const expected = 'usage.output_tokens in the last message_delta';
      this.#log.violate('usage-present', this.#deltaAt, expected, 'none');
    }
    this.#blocks.finish(at, {
      whole: whole && this.#lost === null,
      complete: !truncated.has(this.#reason),
    });
    if (this.#lost === null && this.#blocks.unsure === null) this.#judgeText(text, at);
    this.#withdraw(whole);
  }

  #judgeText(text: string, index: number): void {
    if (this.#reason !== 'end_turn') return;
    const wanted = this.#options.text;
    if (wanted === undefined) {
      if (text === '') judgeSilence(this.#log, index, tokensOfBlocks(this.#stream));
    } else if (text !== wanted) {
      this.#log.violate('deltas-join-to-text', index, shown(wanted), shown(text));
    }
  }

  #withdraw(whole: boolean): void {
    const unsure = this.#lost ?? this.#blocks.unsure;
    if (unsure !== null) this.#log.suppress(suppressedByMalformedEvent, unsure);
    if (this.#lost !== null) {
      this.#log.suppress(['message-start-once-first', 'message-stop-last'], this.#lost);
    }
    if (whole) return;
    const reason =
      this.#stream.cut || this.#erred
        ? 'the stream was broken off'
        : 'the stream has no message_stop';
    const rules = ['message-stop-last', 'blocks-open-and-close', 'arguments-join'];
    if (this.#reason === null) rules.push('stop-reason-before-stop', 'deltas-join-to-text');
    if (!this.#counted) rules.push('usage-present');
    this.#log.suppress(rules, reason);
  }
}
