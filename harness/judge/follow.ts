import type { Exchange } from '../core/exchange.ts';
import { at, parsed } from '../core/json-value.ts';
import { answerOf } from '../protocols/answer.ts';
import { judgeChatCompletions } from '../protocols/chat-completions/grammar.ts';
import { errorBody } from '../protocols/content.ts';
import { errorIn, errorInWords } from '../protocols/error-body.ts';
import { judgeGenerative } from '../protocols/generative/grammar.ts';
import {
  type EventStream,
  type Findings,
  protocolOfEvent,
  type StreamEvent,
} from '../protocols/grammar.ts';
import { judgeMessages } from '../protocols/messages/grammar.ts';
import {
  judgeResponses,
  type ResponsesFindings,
  softRules,
} from '../protocols/responses/grammar.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { isLost } from './judged.ts';
import { asksForResponse, interleaved, turnsOf } from './turns.ts';
import { inWords, outcome } from './wording.ts';

export interface FollowOptions {
  /** The stream is a recovered tail: its events are those after this sequence number. */
  readonly resumedAfter?: number;
  /** The run was cancelled while it streamed: how the stream then ends is documented nowhere. */
  readonly cancelled?: boolean;
  /** The text that the stream must come to, where it is known: fixture models answer alike twice. */
  readonly text?: string;
}

/** Judges the stream of an exchange by the grammar of its protocol; throws when the rule is broken. */
export function follow(exchange: Exchange, rule: string, options: FollowOptions = {}): void {
  if (rule === 'no-interleaving') {
    const found = interleaved(exchange);
    if (found === null) return;
    throw new ExpectationFailed(
      'the events of one response at a time',
      `an event of ${found.id} before ${found.during} had ended`,
      exchange,
    );
  }
  const turns = turnsOf(exchange);
  const asking = turns.filter(asksForResponse);
  /** Why a turn has nothing to be judged. */
  let nothing: string | null = null;
  let isJudged = false;
  for (const turn of asking.length > 0 ? asking : turns) {
    const findings = findingsOf(turn, options);
    if (findings !== null && hasOwnEvents(turn)) {
      if (rule === 'last-event-closed') expectLastEventClosed(turn);
      else expectRuleKept(rule, findings, exchange);
      isJudged = true;
      continue;
    }
    // A stream that is nothing but an error is a refusal, and has no rule to keep.
    const error = findings === null ? null : errorBody(turn);
    if (error !== null) nothing ??= `the stream is an error: ${errorInWords(error)}`;
    else if (turn.socket !== null && isLost(turn.failure)) nothing ??= inWords(turn.failure);
    else {
      const expected = `a stream of ${exchange.about.protocol} events`;
      throw new ExpectationFailed(expected, outcome(turn), exchange);
    }
  }
  if (nothing !== null && !isJudged) throw new Inconclusive(nothing, exchange);
}

/** The framing of every stream, which no grammar sees: a blank line closes each event. */
function expectLastEventClosed(exchange: Exchange): void {
  const answer = answerOf(exchange);
  if (answer.form !== 'events' || answer.stream.closed) return;
  if (answer.stream.cut || isLost(exchange.failure)) {
    throw new Inconclusive('the stream was broken off', exchange);
  }
  throw new ExpectationFailed('a blank line after the last event', 'an end without it', exchange);
}

function expectRuleKept(
  rule: string,
  { violations, unjudged }: Findings,
  exchange: Exchange,
): void {
  const violation = violations.find((broken) =>
    rule === 'event-grammar' ? !softRules.includes(broken.rule) : broken.rule === rule,
  );
  if (violation !== undefined) {
    const { expected, actual, neighbours } = violation;
    throw new ExpectationFailed(expected, `${actual} (${neighbours.join(' | ')})`, exchange);
  }
  const reason = unjudged.get(rule);
  if (reason !== undefined) throw new Inconclusive(`${rule} cannot be judged: ${reason}`, exchange);
}

/** True when there is an event that only its protocol has: neither an error nor a ping. */
function hasOwnEvents(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  const isOwn = (event: StreamEvent): boolean =>
    protocolOfEvent(event) === exchange.about.protocol && errorIn(event.json) === null;
  return answer.form === 'events' && answer.stream.events.some(isOwn);
}

const kept = new WeakMap<Exchange, Map<string, Findings | null>>();

/**
 * What the grammar of the exchange's protocol finds in its stream; null when it has none. A socket
 * conversation is read turn by turn: see `turnsOf`.
 */
export function findingsOf(exchange: Exchange, options: FollowOptions = {}): Findings | null {
  const known = kept.get(exchange) ?? new Map<string, Findings | null>();
  kept.set(exchange, known);
  const key = JSON.stringify(options);
  let findings = known.get(key);
  if (findings === undefined) {
    const answer = answerOf(exchange);
    findings = answer.form === 'events' ? judge(exchange, answer.stream, options) : null;
    known.set(key, findings);
  }
  return findings;
}

/** What the Responses grammar finds; null when the exchange is no Responses stream. */
export function responsesFindings(
  exchange: Exchange,
  options: FollowOptions = {},
): ResponsesFindings | null {
  const answer = answerOf(exchange);
  return answer.form === 'events' ? judgeResponses(answer.stream, options) : null;
}

function judge(exchange: Exchange, stream: EventStream, options: FollowOptions): Findings | null {
  switch (exchange.about.protocol) {
    case 'responses':
      return judgeResponses(stream, options);
    case 'chat-completions':
      return judgeChatCompletions(stream, { ...options, includeUsage: asksForUsage(exchange) });
    case 'messages':
      return judgeMessages(stream, options);
    case 'generative':
      return judgeGenerative(stream, options);
    default:
      return null;
  }
}

function asksForUsage({ request }: Exchange): boolean {
  if (request.body === null) return false;
  const body = parsed(new TextDecoder().decode(request.body));
  return at(body, 'stream_options.include_usage') === true;
}
