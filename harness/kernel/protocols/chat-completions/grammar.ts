import {
  at,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  parsed,
  shown,
  textAt,
} from '../../core/index.ts';
import { type EventStream, type Findings, isDone, type StreamEvent } from '../grammar.ts';
import { Fragments, judgeJoinedText } from '../joined-text.ts';
import { violationInWords, violations } from '../schemas.ts';
import { StreamGrammar } from '../stream-grammar.ts';
import { chatContent, endings, type JoinedCall, joinCall, tokensSaid } from './content.ts';

export const rules = [
  'chunk-shape',
  'one-id',
  'one-finish',
  'nothing-after-finish',
  'done-is-last',
  'usage-chunk',
  'data-only',
  'role-first',
  'deltas-join-to-text',
  'no-repeated-text',
  'arguments-join',
  'call-named-once',
  'filter-chunk-shape',
  'no-foreign-events',
] as const;

type Rule = (typeof rules)[number];

interface ChatOptions {
  /** True if the request asked for the usage (`stream_options.include_usage`). */
  readonly includeUsage?: boolean;
  /** The expected text of the whole stream, if it is known. */
  readonly text?: string;
}

interface Choice {
  text: string;
  refusal: string;
  finish: string | null;
  spoke: boolean;
  finishes: number;
  /** The first delta after a finish. Reported unless a second finish makes it unclear which one is wrong. */
  late: { readonly index: number; readonly expected: string; readonly actual: string } | null;
  readonly calls: Map<number, JoinedCall>;
}

/** Rules that a malformed chunk may have broken or satisfied, so that they cannot be judged. */
const suppressedByMalformedEvent: readonly Rule[] = [
  'one-finish',
  'usage-chunk',
  'deltas-join-to-text',
  'arguments-join',
  'nothing-after-finish',
];

/** Judges a stream by the grammar of Chat Completions: chunks, then `[DONE]`. */
export function judgeChatCompletions(
  stream: EventStream,
  options: ChatOptions = {},
): Findings<Rule> {
  return new ChatGrammar(stream, options).judge();
}

class ChatGrammar extends StreamGrammar<Rule> {
  readonly #options: ChatOptions;
  readonly #choices = new Map<number, Choice>();
  #id: string | null = null;
  #created: number | null = null;
  /** Indexes of the chunks that have usage and no choices. */
  readonly #usageChunks: number[] = [];
  #doneAt: number | null = null;
  readonly #fragments = new Fragments();
  /** Reason why the content is not fully known, or null. */
  #unsure: string | null = null;

  constructor(stream: EventStream, options: ChatOptions) {
    super(stream, chatContent);
    this.#options = options;
  }

  protected override read(index: number, event: StreamEvent): void {
    if (this.log.isForeign(index, 'chat-completions', 'chunks of Chat Completions')) return;
    if (event.name !== undefined) {
      this.log.violate('data-only', index, 'events with data: lines only', `event: ${event.name}`);
    }
    if (this.#doneAt !== null) {
      const actual = isDone(event) ? 'a second [DONE]' : 'an event after [DONE]';
      this.log.violate('done-is-last', index, '[DONE] once, as the last event', actual);
    }
    if (isDone(event)) {
      this.#doneAt ??= index;
    } else if (!this.isError(event)) {
      this.#chunk(index, event.json);
    }
  }

  #chunk(index: number, chunk: unknown): void {
    if (isOfNoAnswer(chunk)) {
      this.own++;
      const expected = 'the id of the stream on a chunk that has nothing of the answer, too';
      this.log.violate('filter-chunk-shape', index, expected, shown(chunk));
      return;
    }
    const [problem] = violations('chat-completions/chunk', chunk);
    if (problem !== undefined) {
      const expected = 'a chat.completion.chunk with the required fields';
      this.log.violate('chunk-shape', index, expected, violationInWords(problem));
      if (saysUnclearly(chunk)) this.#unsure ??= `event ${index} is malformed`;
    }
    if (!isObject(chunk)) return;
    this.own++;
    this.#identity(index, chunk);
    if (isObject(chunk.usage) && isEmpty(chunk.choices)) this.#usageChunks.push(index);
    for (const choice of listAt(chunk, 'choices')) this.#choice(index, choice);
  }

  #identity(index: number, chunk: JsonObject): void {
    const id = textAt(chunk, 'id');
    const created = numberAt(chunk, 'created');
    if (this.#id !== null && id !== null && id !== this.#id) {
      this.log.violate('one-id', index, `id ${this.#id} on all chunks`, `id ${id}`);
    }
    if (this.#created !== null && created !== null && created !== this.#created) {
      this.log.violate(
        'one-id',
        index,
        `created ${this.#created} on all chunks`,
        `created ${created}`,
      );
    }
    this.#id ??= id;
    this.#created ??= created;
  }

  #choice(index: number, value: unknown): void {
    const number = numberAt(value, 'index') ?? 0;
    const choice = this.#choices.get(number) ?? newChoice();
    this.#choices.set(number, choice);
    const delta = at(value, 'delta');
    if (!choice.spoke) this.#first(index, delta);
    choice.spoke = true;
    const finish = textAt(value, 'finish_reason');
    if (choice.finish !== null && finish !== null) {
      const expected = `one finish_reason for choice ${number}`;
      this.log.violate('one-finish', index, expected, `${choice.finish}, then ${finish}`);
    } else if (choice.finish !== null && saysSomething(delta)) {
      const expected = `no delta of choice ${number} after its finish_reason`;
      choice.late ??= { index, expected, actual: shown(delta) };
    }
    if (finish !== null) choice.finishes++;
    choice.finish ??= finish;
    const content = textAt(delta, 'content') ?? '';
    choice.text += content;
    if (number === 0) this.#fragments.read(content, index);
    choice.refusal += textAt(delta, 'refusal') ?? '';
    for (const fragment of listAt(delta, 'tool_calls')) {
      this.#namedOnce(choice.calls.get(numberAt(fragment, 'index') ?? 0), fragment, index);
      joinCall(choice.calls, fragment);
    }
  }

  /**
   * Checks that a name is sent once: clients that join all fragments would make `get_weatherget_weather` of a
   * repeated name.
   */
  #namedOnce(call: JoinedCall | undefined, fragment: unknown, index: number): void {
    const again = [
      [call?.name, textAt(fragment, 'function.name')],
      [call?.id, textAt(fragment, 'id')],
    ].find(([before, now]) => Boolean(now) && now === before);
    if (again === undefined) return;
    const expected = 'the name and the id of a call in its first fragment only';
    this.log.violate('call-named-once', index, expected, `${again[0]} again`);
  }

  #first(index: number, delta: unknown): void {
    if (!isObject(delta) || delta.role === 'assistant') return;
    if (this.#unsure !== null) {
      // The malformed event may have been the first delta.
      this.log.suppress(['role-first'], this.#unsure);
    } else {
      this.log.violate('role-first', index, 'the role assistant in the first delta', shown(delta));
    }
  }

  protected override finish(): void {
    this.#fragments.judge(this.log);
    const end = this.stream.events.length;
    const excused = this.stream.cut || this.erred;
    const reason = excused ? 'the stream was interrupted' : 'the stream has no [DONE]';
    if (this.#doneAt === null) {
      if (excused) this.log.suppress(['done-is-last'], reason);
      else this.log.violate('done-is-last', end, '[DONE] as the last event', 'an end without it');
    }
    const endedAt = this.erred ? null : this.#doneAt;
    const unfinished = [...this.#choices].find(([, { finish }]) => finish === null);
    for (const choice of this.#choices.values()) {
      this.#judgeChoice(choice, unfinished === undefined);
    }
    const nothing = this.#choices.size === 0 && !this.log.isBroken('no-foreign-events');
    if (this.#unsure !== null) {
      this.log.suppress(suppressedByMalformedEvent, this.#unsure);
    } else {
      if (endedAt !== null && (unfinished !== undefined || nothing)) {
        const expected = `a finish_reason for choice ${unfinished?.[0] ?? 0}`;
        this.log.violate('one-finish', endedAt, expected, 'an end without it');
        if (unfinished !== undefined) {
          const why = `choice ${unfinished[0]} has no finish_reason, so nobody knows that all of it came`;
          this.log.suppress(['deltas-join-to-text', 'arguments-join'], why);
        }
      }
      if (this.#options.includeUsage === true) this.#judgeUsage(endedAt);
    }
    if (endedAt !== null) return;
    const rules: Rule[] = [];
    if (unfinished !== undefined || this.#choices.size === 0) {
      rules.push('one-finish', 'deltas-join-to-text', 'arguments-join');
    }
    if (this.#options.includeUsage === true && this.#usageChunks.length === 0) {
      rules.push('usage-chunk');
    }
    this.log.suppress(rules, reason);
  }

  /** @param endedAt position of `[DONE]`, or null if the stream did not reach its end */
  #judgeUsage(endedAt: number | null): void {
    const [first, second] = this.#usageChunks;
    const expected = 'one chunk with the usage and without choices';
    if (second !== undefined) {
      this.log.violate('usage-chunk', second, expected, 'a second one');
    } else if (first === undefined && endedAt !== null) {
      this.log.violate('usage-chunk', endedAt, expected, 'none');
    }
  }

  /** @param allEnded true if every choice has ended. Otherwise the parts of one choice may have been sent to another */
  #judgeChoice({ text, refusal, finish, finishes, late, calls }: Choice, allEnded: boolean): void {
    if (late !== null && finishes === 1) {
      this.log.violate('nothing-after-finish', late.index, late.expected, late.actual);
    }
    if (this.#unsure !== null || finish === null) return;
    const end = this.stream.events.length;
    if (finish === endings.complete && allEnded) {
      judgeJoinedText(this.log, end, {
        text,
        known: this.#options.text,
        isSilent: text === '' && refusal === '',
        tokens: () => tokensSaid(this.stream, this.content.usage),
      });
    }
    if (finish === endings.limit || finish === 'content_filter') return;
    for (const [index, call] of calls) {
      const complete =
        call.name !== null && call.id !== null && isObject(parsed(call.arguments || '{}'));
      if (complete) continue;
      const expected = 'tool call fragments that join to an id, a name and one JSON object';
      this.log.violate('arguments-join', end, expected, `call ${index}: ${shown(call)}`);
    }
  }
}

/**
 * True for a chunk that belongs to no answer. Some deployments send content filter results in such chunks: without
 * choices before the answer, and with choices that lack a delta during or after it.
 */
function isOfNoAnswer(chunk: unknown): boolean {
  if (!isObject(chunk) || chunk.id !== '' || chunk.usage || !Array.isArray(chunk.choices)) {
    return false;
  }
  return chunk.choices.every(
    (choice) => at(choice, 'delta') === undefined && at(choice, 'finish_reason') == null,
  );
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** True if more is malformed than the members that identify the answer of a chunk. */
function saysUnclearly(chunk: unknown): boolean {
  const told = { id: 'id', object: 'chat.completion.chunk', created: 0, model: 'model' };
  const named = Object.assign({}, chunk, told);
  return violations('chat-completions/chunk', named).length > 0;
}

function newChoice(): Choice {
  return {
    text: '',
    refusal: '',
    finish: null,
    spoke: false,
    finishes: 0,
    late: null,
    calls: new Map(),
  };
}

/** True for a delta with content. Empty deltas are legal at any time. */
function saysSomething(delta: unknown): boolean {
  if (textAt(delta, 'content') || textAt(delta, 'refusal')) return true;
  return listAt(delta, 'tool_calls').length > 0;
}
