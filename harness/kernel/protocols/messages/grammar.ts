import {
  at,
  isObject,
  type JsonObject,
  numberAt,
  parsed,
  shown,
  textAt,
} from '../../core/index.ts';
import { errorIn } from '../error-body.ts';
import { type EventStream, type Findings, isDone, type StreamEvent } from '../grammar.ts';
import { Fragments, judgeJoinedText } from '../joined-text.ts';
import { eventViolations, violationInWords } from '../schemas.ts';
import { StreamGrammar } from '../stream-grammar.ts';
import type { ViolationLog } from '../violation-log.ts';
import { endings, messagesContent, tokensSaid } from './content.ts';

export const rules = [
  'event-name-is-type',
  'known-event-shapes',
  'message-start-once-first',
  'blocks-open-and-close',
  'indexes-in-order',
  'no-overlap',
  'stop-reason-before-stop',
  'message-stop-last',
  'usage-present',
  'deltas-join-to-text',
  'no-repeated-text',
  'arguments-join',
  'no-foreign-events',
] as const;

type Rule = (typeof rules)[number];

interface MessagesOptions {
  /** The expected text of the whole stream, if it is known. */
  readonly text?: string;
}

/** Stop reasons that may end a message anywhere, even inside of a call's arguments. */
const truncated: ReadonlySet<string | null> = new Set([
  endings.limit,
  'model_context_window_exceeded',
  'refusal',
]);

/** Rules that an unreadable event may have broken or satisfied, so that they cannot be judged. */
const suppressedByMalformedEvent: readonly Rule[] = [
  'blocks-open-and-close',
  'no-overlap',
  'deltas-join-to-text',
  'arguments-join',
  'stop-reason-before-stop',
  'usage-present',
  'indexes-in-order',
];

export function judgeMessages(stream: EventStream, options: MessagesOptions = {}): Findings<Rule> {
  return new MessagesGrammar(stream, options).judge();
}

class MessagesGrammar extends StreamGrammar<Rule> {
  readonly #options: MessagesOptions;
  readonly #blocks: MessageBlocks;
  #started = false;
  /** True if an event of a message came before or without `message_start`. */
  #began = false;
  #stoppedAt: number | null = null;
  #reason: string | null = null;
  #reasonAt: number | null = null;
  #deltaAt: number | null = null;
  #counted = false;
  #lost: string | null = null;

  constructor(stream: EventStream, options: MessagesOptions) {
    super(stream, messagesContent);
    this.#options = options;
    this.#blocks = new MessageBlocks(this.log);
  }

  protected override read(index: number, event: StreamEvent): void {
    if (isDone(event)) {
      this.log.violate('message-stop-last', index, 'message_stop as the end', '[DONE]');
      return;
    }
    if (this.log.isForeign(index, 'messages', 'events of the Messages API')) return;
    const { name, json } = event;
    const own = textAt(json, 'type');
    if (name !== own) {
      const expected = own === null ? 'a JSON object with a string type' : `event: ${own}`;
      const actual =
        own === null ? event.data : name === undefined ? 'no event: line' : `event: ${name}`;
      this.log.violate('event-name-is-type', index, expected, actual);
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
    this.own++;
    if (this.#stoppedAt !== null && type !== 'ping') {
      this.log.violate('message-stop-last', index, 'message_stop once, as the last', type);
      // The event is late, but not missing.
      if (type === 'message_delta') this.#delta(index, body);
      return;
    }
    const found = eventViolations('messages', type, body);
    // Unknown types are legal anywhere.
    if (found === null || type === 'ping') return;
    const [problem] = found;
    if (problem !== undefined) {
      const expected = `${type} with the required fields`;
      this.log.violate('known-event-shapes', index, expected, violationInWords(problem));
      this.#blocks.unsure ??= `event ${index} is malformed`;
    }
    if (errorIn(body) !== null) {
      this.erred = true;
      return;
    }
    if (type === 'message_start') this.#start(index, body);
    else this.#within(index, type, body);
  }

  #start(index: number, body: JsonObject): void {
    const rule = 'message-start-once-first';
    const expected = 'one message_start, as the first event';
    if (this.#started) {
      this.log.violate(rule, index, expected, 'a second one');
      return;
    }
    if (this.#began) this.log.violate(rule, index, expected, 'one after other events');
    this.#started = true;
    const content = at(body, 'message.content');
    const empty = Array.isArray(content) && content.length === 0;
    if (isObject(body.message) && (!empty || at(body, 'message.stop_reason') !== null)) {
      const actual = shown({ content, stop_reason: at(body, 'message.stop_reason') });
      this.log.violate(rule, index, 'content [] and stop_reason null in message_start', actual);
    }
    const usage = at(body, 'message.usage');
    const counts = [numberAt(usage, 'input_tokens'), numberAt(usage, 'output_tokens')];
    if (!isObject(body.message) || !counts.includes(null)) return;
    const wanted = 'usage with input_tokens and output_tokens in message_start';
    this.log.violate('usage-present', index, wanted, shown(usage));
  }

  #within(index: number, type: string, body: JsonObject): void {
    if (!this.#started && this.#lost === null) {
      const expected = 'message_start as the first event';
      this.log.violate('message-start-once-first', index, expected, type);
    }
    this.#began = true;
    if (type.startsWith('content_block_')) {
      if (this.#reasonAt !== null) {
        const expected = 'the message_delta with the stop_reason after all blocks';
        this.log.violate('stop-reason-before-stop', index, expected, `${type} after it`);
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
    // Clients use the values of the last message_delta.
    this.#counted = numberAt(body, 'usage.output_tokens') !== null;
    const reason = textAt(body, 'delta.stop_reason');
    if (reason !== null) this.#reasonAt ??= index;
    this.#reason = reason ?? this.#reason;
  }

  protected override finish(): void {
    this.#blocks.fragments.judge(this.log);
    const end = this.stream.events.length;
    const excused = this.stream.cut || this.erred || this.#lost !== null;
    const whole = this.#stoppedAt !== null;
    const at = this.#stoppedAt ?? end;
    if (!this.#started && !excused) {
      const expected = 'message_start as the first event';
      this.log.violate('message-start-once-first', 0, expected, 'no such event');
    }
    if (!whole && !excused) {
      this.log.violate('message-stop-last', end, 'message_stop as the end', 'an end without it');
    }
    const known = !excused && this.#blocks.unsure === null;
    if (whole && known && this.#reason === null) {
      const expected = 'a message_delta with the stop_reason before message_stop';
      this.log.violate('stop-reason-before-stop', at, expected, 'none');
    }
    // After an interruption, another message_delta with the usage may be missing.
    if (known && this.#deltaAt !== null && !this.#counted) {
      const expected = 'usage.output_tokens in the last message_delta';
      this.log.violate('usage-present', this.#deltaAt, expected, 'none');
    }
    this.#blocks.finish(at, {
      whole: whole && this.#lost === null,
      complete: !truncated.has(this.#reason),
    });
    if (this.#lost === null && this.#blocks.unsure === null) this.#judgeText(this.#blocks.text, at);
    this.#withdraw(whole);
  }

  #judgeText(text: string, index: number): void {
    if (this.#reason !== endings.complete) return;
    judgeJoinedText(this.log, index, {
      text,
      known: this.#options.text,
      isSilent: text === '',
      tokens: () => tokensSaid(this.stream),
    });
  }

  #withdraw(whole: boolean): void {
    const unsure = this.#lost ?? this.#blocks.unsure;
    if (unsure !== null) this.log.suppress(suppressedByMalformedEvent, unsure);
    if (this.#lost !== null) {
      this.log.suppress(['message-start-once-first', 'message-stop-last'], this.#lost);
    }
    if (whole) return;
    const reason =
      this.stream.cut || this.erred
        ? 'the stream was interrupted'
        : 'the stream has no message_stop';
    const rules: Rule[] = ['message-stop-last', 'blocks-open-and-close', 'arguments-join'];
    if (this.#reason === null) rules.push('stop-reason-before-stop', 'deltas-join-to-text');
    if (!this.#counted) rules.push('usage-present');
    this.log.suppress(rules, reason);
  }
}

interface Block {
  /** Index in its start event, which may be invalid. */
  readonly index: unknown;
  readonly type: string | null;
  readonly startedAt: number;
  stopped: boolean;
  /** True once a signature has come. */
  signed: boolean;
  json: string;
  /** True if another block has started since. */
  followed: boolean;
  /** Index of the first event of this block that followed the start of another block. */
  overlappedAt: number | null;
}

/** Delta types by block type. An unknown type fits any other. */
const deltasOf: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ['text', ['text_delta', 'citations_delta']],
  ['thinking', ['thinking_delta', 'signature_delta']],
  ['tool_use', ['input_json_delta']],
]);
const knownDeltas: ReadonlySet<unknown> = new Set([...deltasOf.values()].flat());

const openAndClose = 'blocks-open-and-close';

/** The part of the grammar that follows content blocks. */
export class MessageBlocks {
  /** True after a lost event, which may have started a block. */
  tolerant = false;
  /** Reason why the content of the blocks is not fully known, or null. */
  unsure: string | null = null;
  /** The joined text of all text blocks, regardless of their indexes. */
  text = '';
  readonly fragments = new Fragments();
  readonly #log: ViolationLog<Rule>;
  readonly #blocks: Block[] = [];

  constructor(log: ViolationLog<Rule>) {
    this.#log = log;
  }

  /** @param type `content_block_start`, `content_block_delta` or `content_block_stop` */
  read(type: string, body: JsonObject, index: number): void {
    if (at(body, 'content_block.type') === 'text')
      this.text += textAt(body, 'content_block.text') ?? '';
    if (at(body, 'delta.type') === 'text_delta') {
      const fragment = textAt(body, 'delta.text') ?? '';
      this.text += fragment;
      this.fragments.read(fragment, index);
    }
    if (type === 'content_block_start') this.#start(body, index);
    else if (type === 'content_block_delta') this.#delta(body, index);
    else this.#stop(body, index);
  }

  #start(body: JsonObject, index: number): void {
    const next = this.#blocks.length;
    const claimed = body.index;
    const known = this.#blocks.findLast((block) => block.index === claimed);
    if (known !== undefined && !known.stopped) {
      this.#log.violate(
        openAndClose,
        index,
        'each block started once',
        `block ${shown(claimed)} again`,
      );
      return;
    }
    if (claimed !== next && !this.tolerant) {
      const expected = `index ${next} on the next content_block_start`;
      this.#log.violate('indexes-in-order', index, expected, `index ${shown(claimed)}`);
    }
    for (const block of this.#blocks) block.followed = true;
    const block = newBlock(claimed, textAt(body, 'content_block.type'), index);
    block.signed = (textAt(body, 'content_block.signature') ?? '') !== '';
    this.#blocks.push(block);
  }

  #delta(body: JsonObject, index: number): void {
    const block = this.#find(body, index);
    if (block === undefined) return;
    if (block.stopped) {
      this.#log.violate(openAndClose, index, 'no delta of a block after it stopped', shown(body));
    }
    const type = at(body, 'delta.type');
    const own = deltasOf.get(block.type);
    if (own !== undefined && knownDeltas.has(type) && !own.includes(type)) {
      const expected = `${own.join(' or ')} in a ${block.type} block`;
      this.#log.violate(openAndClose, index, expected, shown(body.delta));
    }
    block.signed ||= type === 'signature_delta';
    block.json += textAt(body, 'delta.partial_json') ?? '';
  }

  #stop(body: JsonObject, index: number): void {
    const block = this.#find(body, index);
    if (block === undefined) return;
    if (block.stopped) {
      this.#log.violate(
        openAndClose,
        index,
        'each block stopped once',
        `block ${shown(block.index)} again`,
      );
    }
    block.stopped = true;
  }

  #find(body: JsonObject, index: number): Block | undefined {
    const open = this.#blocks.findLast((block) => !block.stopped);
    const found = this.#blocks.findLast((block) => block.index === body.index);
    // The block was started with a wrong index, which its own rule reports, or this event has no index.
    const misplaced = this.#log.isBroken('indexes-in-order') ? open : undefined;
    const block = found ?? misplaced;
    if (block === undefined) {
      if (!this.tolerant) {
        const actual = `${textAt(body, 'type')} of block ${shown(body.index)}, which was not started`;
        this.#log.violate(
          openAndClose,
          index,
          'content_block_start before the events of a block',
          actual,
        );
      }
      if (body.index !== this.#blocks.length) return undefined;
      // Counts the block as started, so that the next index fits.
      const unstarted = newBlock(body.index, null, index);
      this.#blocks.push(unstarted);
      return unstarted;
    }
    if (block.followed && !block.stopped) block.overlappedAt ??= index;
    return block;
  }

  /**
   * @param whole true if the stream reached its `message_stop`
   * @param complete true if no limit cut the message short, so that arguments must be complete
   */
  finish(end: number, { whole, complete }: { whole: boolean; complete: boolean }): void {
    for (const block of this.#blocks) {
      const { index, stopped, overlappedAt } = block;
      if (overlappedAt !== null) {
        const actual = `an event of block ${shown(index)} after the next block had started`;
        this.#log.violate('no-overlap', overlappedAt, 'one block open at a time', actual);
      } else if (!stopped && whole) {
        const expected = `content_block_stop for block ${shown(index)}`;
        this.#log.violate(openAndClose, end, expected, 'the end of the message before it');
      }
      if (block.type === 'thinking' && !block.signed && complete && whole && this.unsure === null) {
        const expected = 'a signature_delta before the content_block_stop of a block of thinking';
        this.#log.violate(openAndClose, end, expected, 'none');
      }
      const joins = block.json === '' || isObject(parsed(block.json));
      if (joins || !complete || !whole || this.unsure !== null) continue;
      const expected = 'input_json_delta fragments that join to one JSON object';
      this.#log.violate('arguments-join', block.startedAt, expected, block.json);
    }
  }
}

function newBlock(index: unknown, type: string | null, startedAt: number): Block {
  return {
    index,
    type,
    startedAt,
    stopped: false,
    signed: false,
    json: '',
    followed: false,
    overlappedAt: null,
  };
}
