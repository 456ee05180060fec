import type { DialectName } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';
import type { KeyRole } from '../keys.ts';

/**
 * Answers of a mock, over any protocol. The first rule that matches a request determines its answer. The
 * form is that of a script file, as `fixtures/script.schema.json` describes it.
 */
export interface Script {
  readonly rules: readonly Rule[];
  /** Outcome if no rule matches. Default: the reference gateway's own answer. */
  readonly otherwise?: Outcome;
}

export interface Rule extends Outcome {
  /** In the journal and the log; default: its number, from 1. */
  readonly name?: string;
  /** Conditions, all of which have to match. Default: every request that asks for an answer. */
  readonly when?: When;
  /** Number of requests after which the rule does not match any more. Default: no limit. */
  readonly times?: number;
}

export type OneOrMore<T> = T | readonly T[];

export function many<T extends string | RegExp>(one: OneOrMore<T>): readonly T[] {
  return typeof one === 'string' || one instanceof RegExp ? [one] : one;
}

/** A text that has to occur, in any case of letters; `/…/flags` is a regular expression. */
export type Words = string | RegExp;

export interface When {
  readonly protocol?: OneOrMore<Exclude<DialectName, 'models'>>;
  readonly model?: OneOrMore<string>;
  /** In the last text of the user. */
  readonly says?: OneOrMore<Words>;
  /** In the system prompt or the instructions. */
  readonly system?: OneOrMore<Words>;
  /** Number of the user's turn, from 1. */
  readonly turn?: number;
  /**
   * True if the last turn has to be the result of a call, false if it must not be; or words in that result.
   */
  readonly toolResult?: boolean | OneOrMore<Words>;
  /** The request declares this function. */
  readonly tool?: string;
  readonly stream?: boolean;
  readonly key?: OneOrMore<KeyRole>;
  readonly user?: OneOrMore<string>;
}

/** System One decides: what is a text or a call has nothing to say there. */
export function canDecide({ text, pieces, call, calls, ends }: Outcome): boolean {
  return [text, pieces, call, calls, ends].every((one) => one === undefined);
}

/** A call of a function. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: JsonObject;
}

/**
 * Outcome of a request: one of `text`, `pieces` and `value`, optionally followed by `call` or `calls`; or
 * an `error`, which may come `after` a part of them. Without any of these, the reference gateway's own
 * answer.
 */
export interface Outcome {
  readonly text?: string;
  /** A text, in the pieces in which it is streamed. */
  readonly pieces?: readonly string[];
  readonly call?: ScriptedCall;
  /** Several at once. */
  readonly calls?: readonly ScriptedCall[];
  /** Structured output: its JSON text. For System One the answers. */
  readonly value?: Json;
  readonly error?: ScriptedError;
  /** Headers of the answer, in addition to the usual ones or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As at the limit, or as where a filter stops it. Default: it comes to its own end. */
  readonly ends?: 'length' | 'filtered';
  /** Thought before the answer. It is shown if the protocol has a place for it, and counted in any case. */
  readonly reasoning?: string;
  readonly pace?: PaceOptions;
  /** The connection ends after so many events of a stream, or half of a body. */
  readonly cut?: After;
  /** Nothing more comes after so many events, and the connection stays open. */
  readonly stall?: After;
  /** The connection is reset in the place of an answer. */
  readonly reset?: boolean;
}

export type After = number | { readonly events: number } | { readonly bytes: number };

interface ScriptedError {
  /** 400 to 599. */
  readonly status: number;
  /** In place of the usual `type` of the protocol for this status. */
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  /** Seconds, or a date. */
  readonly retryAfter?: number | string;
  /** Number of events of a stream after which the error comes, in the place of the rest. Default: in the place of the answer. */
  readonly after?: number;
}

export interface PaceOptions {
  /** Milliseconds until the first token of an answer. */
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  /** By which part of itself a wait may be longer or shorter, 0 to 1. */
  readonly jitter?: number;
}

/** `/words/i`, written as a text. */
const expression = /^\/(.+)\/([a-z]*)$/s;

const expressions = new Map<string, RegExp | null>();
/** Number of expressions that are kept, more than any script has. Beyond it they are made anew. */
const mostExpressions = 10_000;

/** A regular expression where the text is written as one, always the same; null else. @throws {SyntaxError} */
export function expressionIn(text: string): RegExp | null {
  const known = expressions.get(text);
  if (known !== undefined) return known;
  const [, source, flags = ''] = expression.exec(text) ?? [];
  const made = source === undefined ? null : new RegExp(source, flags.replace(/[gy]/g, ''));
  if (expressions.size >= mostExpressions) expressions.clear();
  expressions.set(text, made);
  return made;
}
