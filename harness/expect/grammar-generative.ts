import { generativeContent } from './content-generative.ts';
import { errorIn } from './error-body.ts';
import {
  Docket,
  type EventStream,
  type Findings,
  isDone,
  protocolOfEvent,
  type StreamEvent,
} from './grammar.ts';
import { Fragments } from './grammar-fragments.ts';
import { judgeSilence } from './grammar-silence.ts';
import { at, isObject, type JsonObject, listAt, numberAt, shown, textAt } from './json-value.ts';
import { violationInWords, violations } from './schemas.ts';

export interface GenerativeOptions {
  /** The text that the stream must come to, where it is known. */
  readonly text?: string;
}

interface Candidate {
  finishedAt: number | null;
  finish: string | null;
  lastAt: number;
}

/** Judges a stream by the grammar of generative-content: partial answers, and an end. */
export function judgeGenerative(stream: EventStream, options: GenerativeOptions = {}): Findings {
  return new GenerativeGrammar(stream, options).judge();
}

class GenerativeGrammar {
  readonly #stream: EventStream;
  readonly #options: GenerativeOptions;
  readonly #docket: Docket;
  readonly #candidates = new Map<number, Candidate>();
  #id: string | null = null;
  #last: { readonly index: number; readonly chunk: JsonObject } | null = null;
  #blocked = false;
  #erred = false;
  #own = 0;
  readonly #fragments = new Fragments();
  #unsure: string | null = null;

  constructor(stream: EventStream, options: GenerativeOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#docket = new Docket(stream.events);
  }

  judge(): Findings {
    for (const [index, event] of this.#stream.events.entries()) this.#read(index, event);
    const { text, toolCalls, usage, ending } = generativeContent.fromEvents(this.#stream);
    this.#finish(text, toolCalls.length);
    this.#fragments.judge(this.#docket);
    return {
      violations: this.#docket.violations(),
      unjudged: this.#docket.unjudged,
      ownEvents: this.#own,
      text,
      toolCalls,
      ending,
      usage,
      id: this.#id,
    };
  }

  #read(index: number, event: StreamEvent): void {
    if (isDone(event)) {
      this.#docket.broke('no-done', index, 'no [DONE]: clients parse all data as JSON', '[DONE]');
      return;
    }
    if (this.#docket.isForeign(index, 'generative', 'chunks of generative-content')) return;
    if (event.name !== undefined || event.hasId) {
      const actual = event.name === undefined ? 'an id: line' : `event: ${event.name}`;
      this.#docket.broke('data-only', index, 'events with data: lines only', actual);
    }
    if (protocolOfEvent(event) === null && errorIn(event.json) !== null) {
      this.#erred = true;
      this.#own++;
      return;
    }
    const [problem] = violations('generative/chunk', event.json);
    if (problem !== undefined) {
      const expected = 'a partial answer of generative-content';
      this.#docket.broke('chunk-shape', index, expected, violationInWords(problem));
      this.#unsure ??= `event ${index} is malformed`;
    }
    if (isObject(event.json)) this.#chunk(index, event.json);
  }

  #chunk(index: number, chunk: JsonObject): void {
    this.#own++;
    this.#last = { index, chunk };
    this.#blocked ||= isObject(chunk.promptFeedback);
    const id = textAt(chunk, 'responseId');
    if (this.#id !== null && id !== null && id !== this.#id) {
      const expected = `responseId ${this.#id} on all chunks`;
      this.#docket.broke('response-id-constant', index, expected, `responseId ${id}`);
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
      this.#docket.broke(
        'one-finish',
        candidate.finishedAt,
        'one finishReason, at the end',
        actual,
      );
    }
    candidate.finishedAt = index;
    candidate.finish = reason;
  }

  #finish(text: string, calls: number): void {
    const end = this.#stream.events.length;
    if (!this.#stream.closed && !this.#stream.cut) {
      const expected = 'a blank line after the last event: the official client drops it else';
      this.#docket.broke('ends-with-blank-line', end - 1, expected, 'an end without it');
    }
    const excused = this.#stream.cut || this.#erred;
    if (excused || this.#unsure !== null) {
      const reason = this.#unsure ?? 'the stream was broken off';
      const rules = ['finish-last', 'one-finish', 'usage-on-last', 'deltas-make-the-text'];
      this.#docket.cannotJudge(
        this.#stream.cut ? [...rules, 'ends-with-blank-line'] : rules,
        reason,
      );
      return;
    }
    this.#judgeFinish();
    if (this.#last !== null && !isObject(this.#last.chunk.usageMetadata)) {
      const expected = 'usageMetadata on the last chunk';
      this.#docket.broke('usage-on-last', this.#last.index, expected, shown(this.#last.chunk));
    }
    const finish = this.#candidates.get(0)?.finish ?? null;
    if (finish !== 'STOP') return;
    const wanted = this.#options.text;
    if (wanted === undefined) {
      const silent = text === '' && calls === 0;
      const said = numberAt(this.#last?.chunk, 'usageMetadata.candidatesTokenCount');
      if (silent) judgeSilence(this.#docket, end, said);
    } else if (text !== wanted) {
      this.#docket.broke('deltas-make-the-text', end, shown(wanted), shown(text));
    }
  }

  #judgeFinish(): void {
    const expected = 'a finishReason on the last chunk that has a candidate';
    for (const { finishedAt, lastAt, finish } of this.#candidates.values()) {
      if (finishedAt === lastAt) continue;
      const actual = finishedAt === null ? 'none' : `${finish} in event ${finishedAt} already`;
      this.#docket.broke('finish-last', lastAt, expected, actual);
    }
    if (this.#candidates.size > 0 || this.#blocked || this.#own === 0) return;
    this.#docket.broke('finish-last', this.#stream.events.length, expected, 'no candidate at all');
  }
}
