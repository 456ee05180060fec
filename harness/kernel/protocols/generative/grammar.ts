import {
  at,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  shown,
  textAt,
} from '../../core/index.ts';
import { type EventStream, type Findings, isDone, type StreamEvent } from '../grammar.ts';
import { Fragments, judgeJoinedText } from '../joined-text.ts';
import { violationInWords, violations } from '../schemas.ts';
import { StreamGrammar } from '../stream-grammar.ts';
import { endings, generativeContent, tokensSaid } from './content.ts';

export const rules = [
  'chunk-shape',
  'data-only',
  'no-done',
  'ends-with-blank-line',
  'finish-last',
  'one-finish',
  'response-id-constant',
  'usage-on-last',
  'deltas-join-to-text',
  'no-repeated-text',
  'no-foreign-events',
] as const;

type Rule = (typeof rules)[number];

interface GenerativeOptions {
  /** The expected text of the whole stream, if it is known. */
  readonly text?: string;
}

interface Candidate {
  finishedAt: number | null;
  finish: string | null;
  lastAt: number;
}

/** Judges a stream by the grammar of generative-content: partial answers, then an end. */
export function judgeGenerative(
  stream: EventStream,
  options: GenerativeOptions = {},
): Findings<Rule> {
  return new GenerativeGrammar(stream, options).judge();
}

class GenerativeGrammar extends StreamGrammar<Rule> {
  readonly #options: GenerativeOptions;
  readonly #candidates = new Map<number, Candidate>();
  #id: string | null = null;
  #last: { readonly index: number; readonly chunk: JsonObject } | null = null;
  #blocked = false;
  readonly #fragments = new Fragments();
  #unsure: string | null = null;

  constructor(stream: EventStream, options: GenerativeOptions) {
    super(stream, generativeContent);
    this.#options = options;
  }

  protected override read(index: number, event: StreamEvent): void {
    if (isDone(event)) {
      this.log.violate('no-done', index, 'no [DONE]: clients parse all data as JSON', '[DONE]');
      return;
    }
    if (this.log.isForeign(index, 'generative', 'chunks of generative-content')) return;
    if (event.name !== undefined || event.hasId) {
      const actual = event.name === undefined ? 'an id: line' : `event: ${event.name}`;
      this.log.violate('data-only', index, 'events with data: lines only', actual);
    }
    if (this.isError(event)) return;
    const [problem] = violations('generative/chunk', event.json);
    if (problem !== undefined) {
      const expected = 'a partial answer of generative-content';
      this.log.violate('chunk-shape', index, expected, violationInWords(problem));
      this.#unsure ??= `event ${index} is malformed`;
    }
    if (isObject(event.json)) this.#chunk(index, event.json);
  }

  #chunk(index: number, chunk: JsonObject): void {
    this.own++;
    this.#last = { index, chunk };
    this.#blocked ||= isObject(chunk.promptFeedback);
    const id = textAt(chunk, 'responseId');
    if (this.#id !== null && id !== null && id !== this.#id) {
      const expected = `responseId ${this.#id} on all chunks`;
      this.log.violate('response-id-constant', index, expected, `responseId ${id}`);
    }
    this.#id ??= id;
    for (const value of listAt(chunk, 'candidates')) this.#candidate(index, value);
  }

  #candidate(index: number, value: unknown): void {
    const number = numberAt(value, 'index') ?? 0;
    const candidate = this.#candidates.get(number) ?? {
      finishedAt: null,
      finish: null,
      lastAt: index,
    };
    this.#candidates.set(number, candidate);
    candidate.lastAt = index;
    if (number === 0) {
      const parts = listAt(value, 'content.parts').filter((part) => at(part, 'thought') !== true);
      this.#fragments.read(parts.map((part) => textAt(part, 'text') ?? '').join(''), index);
    }
    const reason = textAt(value, 'finishReason');
    if (reason === null || reason === '' || reason === 'FINISH_REASON_UNSPECIFIED') return;
    if (candidate.finishedAt !== null) {
      const actual = `${candidate.finish} before ${reason}`;
      this.log.violate('one-finish', candidate.finishedAt, 'one finishReason, at the end', actual);
    }
    candidate.finishedAt = index;
    candidate.finish = reason;
  }

  protected override finish(): void {
    this.#fragments.judge(this.log);
    const { text, toolCalls } = this.content;
    const end = this.stream.events.length;
    if (!this.stream.closed && !this.stream.cut) {
      const expected = 'a blank line after the last event: the official client drops it else';
      this.log.violate('ends-with-blank-line', end - 1, expected, 'an end without it');
    }
    const excused = this.stream.cut || this.erred;
    if (excused || this.#unsure !== null) {
      const reason = this.#unsure ?? 'the stream was interrupted';
      const hidden = ['finish-last', 'one-finish', 'usage-on-last', 'deltas-join-to-text'] as const;
      this.log.suppress(hidden, reason);
      if (this.stream.cut) this.log.suppress(['ends-with-blank-line'], reason);
      return;
    }
    this.#judgeFinish();
    if (this.#last !== null && !isObject(this.#last.chunk.usageMetadata)) {
      const expected = 'usageMetadata on the last chunk';
      this.log.violate('usage-on-last', this.#last.index, expected, shown(this.#last.chunk));
    }
    const finish = this.#candidates.get(0)?.finish ?? null;
    if (finish !== endings.complete) return;
    judgeJoinedText(this.log, end, {
      text,
      known: this.#options.text,
      isSilent: text === '' && toolCalls.length === 0,
      tokens: () => tokensSaid(this.content.usage),
    });
  }

  #judgeFinish(): void {
    const expected = 'a finishReason on the last chunk that has a candidate';
    for (const { finishedAt, lastAt, finish } of this.#candidates.values()) {
      if (finishedAt === lastAt) continue;
      const actual = finishedAt === null ? 'none' : `${finish} in event ${finishedAt} already`;
      this.log.violate('finish-last', lastAt, expected, actual);
    }
    if (this.#candidates.size > 0 || this.#blocked || this.own === 0) return;
    this.log.violate('finish-last', this.stream.events.length, expected, 'no candidate at all');
  }
}
