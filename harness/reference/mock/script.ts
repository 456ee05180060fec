import type { DialectName } from '../dialect.ts';
import type { Json, JsonObject } from '../json.ts';
import type { KeyRole } from '../keys.ts';

/**
 * Answers of a mock, over any protocol. The first rule that matches a request determines its answer. The form is
 * that of a script file, as `fixtures/script.schema.json` describes it.
 */
export interface Script {
  readonly rules: readonly Rule[];
  /** Outcome if no rule matches. Default: the reference gateway's own answer. */
  readonly otherwise?: Outcome;
}

export interface Rule extends Outcome {
  /** Name in the journal and the log; default: the number of the rule, from 1. */
  readonly name?: string;
  /** Conditions, all of which have to match. Default: every request that asks for an answer. */
  readonly when?: When;
  /** Number of requests after which the rule no longer matches. Default: no limit. */
  readonly times?: number;
}

export type OneOrMore<T> = T | readonly T[];

export function many<T extends string | RegExp>(one: OneOrMore<T>): readonly T[] {
  return typeof one === 'string' || one instanceof RegExp ? [one] : one;
}

/** Text that has to occur, case-insensitively; `/…/flags` is a regular expression. */
export type Words = string | RegExp;

export interface When {
  readonly protocol?: OneOrMore<Exclude<DialectName, 'models'>>;
  readonly model?: OneOrMore<string>;
  /** Words in the last text of the user. */
  readonly says?: OneOrMore<Words>;
  /** Words in the system prompt or the instructions. */
  readonly system?: OneOrMore<Words>;
  /** Number of the user's turn, from 1. */
  readonly turn?: number;
  /** True requires the result of a call as the last turn, and false forbids it; words have to occur in that result. */
  readonly toolResult?: boolean | OneOrMore<Words>;
  /** Name of a function that the request declares. */
  readonly tool?: string;
  readonly stream?: boolean;
  readonly key?: OneOrMore<KeyRole>;
  readonly user?: OneOrMore<string>;
}

/** True if an outcome is usable for System One, which has no text and no calls. */
export function canDecide({ text, pieces, call, calls, ends }: Outcome): boolean {
  return [text, pieces, call, calls, ends].every((one) => one === undefined);
}

export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: JsonObject;
}

/**
 * Outcome of a request: one of `text`, `pieces` and `value`, optionally followed by `call` or `calls`; or an
 * `error`, which may come `after` a part of them. Without any of these, the reference gateway's own answer.
 */
export interface Outcome {
  readonly text?: string;
  /** Text in the pieces in which it is streamed. */
  readonly pieces?: readonly string[];
  readonly call?: ScriptedCall;
  readonly calls?: readonly ScriptedCall[];
  /** Value of structured output, sent as JSON text; for System One, the answers. */
  readonly value?: Json;
  readonly error?: ScriptedError;
  /** Headers that are added to the usual ones or replace them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ending as at the limit, or as when a filter stops the output. Default: a natural end. */
  readonly ends?: 'length' | 'filtered';
  /** Thought before the answer. It is shown if the protocol has a place for it, and counted in any case. */
  readonly reasoning?: string;
  readonly pace?: PaceOptions;
  /** Ends the connection after so many events of a stream, or half of a body. */
  readonly cut?: After;
  /** Stops transmission after so many events, and keeps the connection open. */
  readonly stall?: After;
  /** Resets the connection instead of answering. */
  readonly reset?: boolean;
}

export type After = number | { readonly events: number } | { readonly bytes: number };

interface ScriptedError {
  /** Status from 400 to 599. */
  readonly status: number;
  /** Replaces the usual `type` of the protocol for this status. */
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  /** Seconds, or a date. */
  readonly retryAfter?: number | string;
  /**
   * Number of events before the error, which replaces the rest of the stream. Default: the error replaces the answer.
   */
  readonly after?: number;
}

export interface PaceOptions {
  /** Milliseconds until the first token of an answer. */
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  /** Maximum relative deviation of a delay, 0 to 1. */
  readonly jitter?: number;
}

/** Matches a regular expression written as a text: `/words/i`. */
const expression = /^\/(.+)\/([a-z]*)$/s;

const expressions = new Map<string, RegExp | null>();
/** Maximum number of cached expressions, more than any script has. Beyond it, they are created again. */
const mostExpressions = 10_000;

/**
 * Returns the cached regular expression that the text denotes; null for plain text.
 *
 * @throws {SyntaxError}
 */
export function expressionIn(text: string): RegExp | null {
  const known = expressions.get(text);
  if (known !== undefined) return known;
  const [, source, flags = ''] = expression.exec(text) ?? [];
  const made = source === undefined ? null : new RegExp(source, flags.replace(/[gy]/g, ''));
  if (expressions.size >= mostExpressions) expressions.clear();
  expressions.set(text, made);
  return made;
}
