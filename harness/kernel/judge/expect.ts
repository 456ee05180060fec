import { at, type Difference, type Exchange, isPath, shown } from '../core/index.ts';
import {
  answerOf,
  contentOf,
  errorIn,
  isEnveloped,
  isRunning,
  nativeBody,
  type SchemaId,
  type SchemaViolation,
  violationInWords,
  violations,
} from '../protocols/index.ts';
import { headerValues } from '../wire/index.ts';
import { aDenial, type DeniedOptions, denied, shownOf } from './denied.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { type FollowOptions, follow, type StreamRule } from './follow.ts';
import { type Judged, transientIn, type Undecided, yes } from './judged.ts';
import { aRefusal, isUnavailable, type RefusedOptions, refused } from './refused.ts';
import { aServedAnswer, type ServedOptions, served } from './served.ts';
import { outcome, requestInWords } from './wording.ts';

/** Request that must be served for the refusal to count: the same request without its defect. */
interface Control {
  readonly control?: Exchange | readonly Exchange[];
}

interface Unchanged {
  /** The owner's lookups before and after: a denial leaves the stored response unchanged. */
  readonly owner?: { readonly before: Exchange; readonly after: Exchange };
}

/**
 * An expectation on one exchange. Each method returns if it holds, throws `ExpectationFailed` if it does not, and
 * `Inconclusive` if the exchange decides nothing.
 */
export class ExchangeExpectation {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** 2xx and the native body, or a stream or socket turn with its native end. */
  toBeServed(options: ServedOptions = {}): this {
    this.#settle(served(this.#exchange, options), aServedAnswer, 'unserved');
    return this;
  }

  /**
   * 4xx, or the protocol's other ways to refuse, without generated content; see `refused`. A lacking capability may
   * also be refused with 503, see `isUnavailable`, if a control is served and so excludes an overload.
   */
  toBeRefused({ control, ...options }: RefusedOptions & Control = {}): this {
    const isLacking = options.capability === true && [control ?? []].flat().length > 0;
    const judged =
      isLacking && isUnavailable(this.#exchange) ? yes : refused(this.#exchange, options);
    if (judged.state === 'yes') assumeServed(control);
    this.#settle(judged, aRefusal(options), 'unrefused');
    return this;
  }

  /** Refused, without any secret word in the answer; with `owner`, the response unchanged. */
  toBeDenied({ control, owner, ...options }: DeniedOptions & Control & Unchanged): this {
    const judged = denied(this.#exchange, options);
    if (judged.state === 'yes') assumeServed(control);
    this.#settle(judged, aDenial, 'unrefused');
    if (owner !== undefined) expectExchange(owner.after).toHaveSameAnswerAs(owner.before);
    return this;
  }

  /** No occurrence of the words in headers, body, frames or joined fragments. */
  toShowNoneOf(words: readonly string[]): this {
    this.#assumeDecided();
    const shows = shownOf(this.#exchange, words);
    if (shows === null) return this;
    throw this.#failed('an answer that shows nothing of the stored content', shows);
  }

  /** Answered, served or refused: 2xx or 4xx. */
  toBeAnswered(): this {
    this.#assumeDecided();
    const status = this.#exchange.response?.status ?? 0;
    const broken = this.#exchange.failure !== null;
    if (!broken && ((status >= 200 && status < 300) || (status >= 400 && status < 500)))
      return this;
    throw this.#failed('an answer with 2xx or 4xx', this.#outcome(), 'unserved');
  }

  /** Not wrapped in `{ data, requestId }`. Inconclusive unless the request is served. */
  toBeUnwrapped(): this {
    if (isEnveloped(this.#exchange)) {
      const expected = "the protocol's own members at the top of the body";
      throw this.#failed(expected, this.#outcome(), 'unserved');
    }
    assumeServed(this.#exchange);
    return this;
  }

  /** One JSON body instead of a stream. Inconclusive if the request was refused. */
  toBeJson(): this {
    this.#assumeSucceeded();
    if (answerOf(this.#exchange).form === 'json') return this;
    throw this.#failed('one JSON body', this.#outcome(), 'unserved');
  }

  /** Refused with an HTTP error and a JSON body, although a stream was requested. */
  toBeRefusedBeforeItStreams(): this {
    this.#assumeRefused();
    if (answerOf(this.#exchange).form === 'json') return this;
    throw this.#failed('an HTTP error with a JSON body', this.#outcome());
  }

  /** A refusal in the error shape of its protocol; over a WebSocket, the error frame. */
  toHaveErrorShape(schema: SchemaId): this {
    this.#assumeRefused();
    const answer = answerOf(this.#exchange);
    const body =
      answer.form === 'json'
        ? answer.value
        : answer.form === 'events'
          ? answer.stream.events.find(({ json }) => errorIn(json) !== null)?.json
          : undefined;
    const found = violations(schema, body);
    if (found.length === 0) return this;
    const actual = body === undefined ? this.#outcome() : found.map(violationInWords).join('; ');
    throw this.#failed(`an error in the shape ${schema}`, actual, 'part', pathsOf(found));
  }

  /** The JSON body matches the schema; for a Responses stream or turn, its final response does. */
  toMatchSchema(schema: SchemaId): this {
    if (!/error/.test(schema)) this.#assumeSucceeded();
    this.#assumeDecided();
    const body = this.#body();
    const found = violations(schema, body);
    if (found.length === 0) return this;
    const problems = found.slice(0, 5).map(violationInWords);
    if (found.length > 5) problems.push(`and ${found.length - 5} more`);
    const expected = `a body in the shape ${schema}`;
    throw this.#failed(expected, problems.join('; '), 'part', pathsOf(found.slice(0, 5)));
  }

  /** The stream, or each turn of the socket, follows a rule of its protocol's grammar. */
  toFollow(rule: StreamRule, options: FollowOptions = {}): this {
    this.#assumeSucceeded();
    follow(this.#exchange, rule, options);
    return this;
  }

  /** A stream, or turns of a socket, with events of its protocol. */
  toStream(): this {
    this.#assumeSucceeded();
    follow(this.#exchange, null);
    return this;
  }

  /** One of these content types, ignoring parameters. `+json` matches all types with that ending. */
  toHaveContentType(...types: readonly string[]): this {
    this.#assumeDecided();
    const { response } = this.#exchange;
    if (response === null) throw this.#failed(`a ${types.join(' or ')} answer`, this.#outcome());
    const value = headerValues(this.#exchange, 'content-type')[0] ?? null;
    const own = (value ?? '').replace(/;.*/s, '').trim().toLowerCase();
    const fits = types.some((type) => (type.startsWith('+') ? own.endsWith(type) : own === type));
    if (fits) return this;
    const actual = value === null ? 'no Content-Type' : `Content-Type: ${value}`;
    throw this.#failed(`Content-Type: ${types.join(' or ')}`, actual);
  }

  /** One of these statuses. */
  toHaveStatus(...statuses: readonly number[]): this {
    this.#assumeDecided();
    const { status = 0 } = this.#exchange.response ?? {};
    if (statuses.includes(status)) return this;
    const isUnserved = statuses.every(isGood) && !isGood(status);
    const kind = isUnserved ? 'unserved' : 'part';
    throw this.#failed(`status ${statuses.join(' or ')}`, this.#outcome(), kind);
  }

  /**
   * A condition on the native body.
   *
   * @param what a path (`usage.total_tokens`) or a sentence (`total_tokens = input + output`)
   * @param holds gets the body
   * @param actual value to show if it does not hold; default: the value at the path, or the body
   */
  toHave(
    what: string,
    holds: (body: unknown) => boolean,
    actual: (body: unknown) => unknown = (body) => (isPath(what) ? at(body, what) : body),
  ): this {
    this.#assumeSucceeded();
    const body = this.#body();
    if (holds(body)) return this;
    const value = actual(body);
    const text = typeof value === 'string' && !isPath(what) ? value : shown(value);
    const isPlace = isPath(what);
    throw this.#failed(what, isPlace ? `${what}: ${text}` : text, 'part', isPlace ? [what] : []);
  }

  /** Expects the same id as in another answer and, if its run had ended, the same status and generated text. */
  toHaveSameAnswerAs(other: Exchange): this {
    for (const exchange of [other, this.#exchange]) {
      const judged = served(exchange);
      if (judged.state === 'yes') continue;
      if (judged.state === 'undecided') throw decidesNothing(judged, exchange);
      if (exchange === other) throw controlFailed(other, judged.actual);
      throw this.#failed(aServedAnswer, judged.actual, 'unserved');
    }
    const [theirs, own] = [contentOf(other), contentOf(this.#exchange)];
    const ofEnded = { status: 'ending', text: 'text' } as const;
    const compared = { id: 'id', ...(isRunning(theirs.ending) ? {} : ofEnded) } as const;
    for (const [name, member] of Object.entries(compared)) {
      const [before, now] = [theirs[member], own[member]];
      // A value that the other answer lacks cannot differ.
      if (before === now || before === null) continue;
      throw this.#failed(
        `the same ${name} as ${requestInWords(other)} gave: ${shown(before)}`,
        shown(now),
      );
    }
    return this;
  }

  #body(): unknown {
    const body = nativeBody(this.#exchange);
    if (body === undefined) throw this.#failed('a JSON body', this.#outcome(), 'unserved');
    return body;
  }

  #assumeDecided(): void {
    const transient = transientIn(this.#exchange);
    if (transient !== null) throw leavesOpen(transient, this.#exchange);
  }

  /** Leaves the form of a served answer undecided unless the request was served. */
  #assumeSucceeded(): void {
    this.#assumeDecided();
    if ((this.#exchange.response?.status ?? 0) >= 400) {
      const reason = `${requestInWords(this.#exchange)} was not served: ${this.#outcome()}`;
      throw new Inconclusive(reason, this.#exchange);
    }
  }

  /** Leaves the form of a refusal undecided unless the request was refused. */
  #assumeRefused(): void {
    const judged = refused(this.#exchange, { capability: true });
    if (judged.state === 'yes') return;
    if (judged.state === 'undecided') throw decidesNothing(judged, this.#exchange);
    const reason = `${requestInWords(this.#exchange)} was not refused: ${judged.actual}`;
    throw new Inconclusive(reason, this.#exchange);
  }

  #settle(judged: Judged, expected: string, kind: Difference['kind']): void {
    if (judged.state === 'undecided') throw leavesOpen(judged, this.#exchange);
    if (judged.state === 'no') throw this.#failed(expected, judged.actual, kind);
  }

  #outcome(): string {
    return outcome(this.#exchange);
  }

  #failed(
    expected: string,
    actual: string,
    kind?: Difference['kind'],
    places: readonly string[] = [],
  ): ExpectationFailed {
    return new ExpectationFailed(expected, actual, this.#exchange, kind, { places });
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

function expectExchange(exchange: Exchange): ExchangeExpectation {
  return new ExchangeExpectation(exchange);
}

export { expectExchange as expect };

/** Throws `Inconclusive` unless every control was served: without it, a refusal shows nothing. */
export function assumeServed(control: Control['control']): void {
  if (control === undefined) return;
  const controls: readonly Exchange[] = 'request' in control ? [control] : control;
  for (const exchange of controls) {
    if (exchange.carriedOut) continue;
    const judged = served(exchange);
    if (judged.state === 'undecided') throw decidesNothing(judged, exchange);
    if (judged.state === 'no') throw controlFailed(exchange, judged.actual);
  }
}

function decidesNothing({ cause, reason }: Undecided, exchange: Exchange): Inconclusive {
  return new Inconclusive(reason, exchange, cause);
}

/** Like `decidesNothing`, for the exchange that the requirement is about. */
function leavesOpen({ cause, reason }: Undecided, exchange: Exchange): Inconclusive {
  return new Inconclusive(reason, exchange, cause, true);
}

function controlFailed(exchange: Exchange, actual: string): Inconclusive {
  const reason = `${requestInWords(exchange)} was not served, so this check proves nothing: ${actual}`;
  return new Inconclusive(reason, exchange, 'control');
}

/** Returns the places of schema violations. A violation of the whole body has none. */
function pathsOf(violations: readonly SchemaViolation[]): readonly string[] {
  return [...new Set(violations.map(({ place }) => place).filter((place) => place !== ''))];
}
