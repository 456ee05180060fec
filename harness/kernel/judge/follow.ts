import { type Exchange, parsed } from '../core/index.ts';
import {
  answerOf,
  type EventStream,
  errorBody,
  errorIn,
  errorInWords,
  type Findings,
  type GrammarOptions as FollowOptions,
  type GrammarRule,
  judgeResponses,
  protocolModules,
  protocolOfEvent,
  type ResponsesFindings,
  type StreamEvent,
  streamingProtocolOf,
} from '../protocols/index.ts';
import { remembered } from '../wire/index.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { isLost } from './judged.ts';
import { asksForResponse, interleaved, turnsOf } from './turns.ts';
import { inWords, outcome } from './wording.ts';

export type { FollowOptions };

/**
 * Rule that a stream is judged by: a rule of its protocol's grammar, or
 * - `event-grammar`: all rules of the grammar except recommendations,
 * - `no-interleaving`: the events of one response at a time, over a WebSocket,
 * - `last-event-closed`: a blank line closes each event, which is outside of every grammar.
 */
export type StreamRule = GrammarRule | 'event-grammar' | 'no-interleaving' | 'last-event-closed';

/**
 * Judges the stream of an exchange. Throws if the rule is broken.
 *
 * @param rule null: only that there is a stream of its protocol's events
 * @throws {Error} for a rule that the protocol of the exchange does not have
 */
export function follow(
  exchange: Exchange,
  rule: StreamRule | null,
  options: FollowOptions = {},
): void {
  refuseUnknownRule(exchange, rule);
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
  /** Reason why a turn has nothing to judge, or null. */
  let nothing: Inconclusive | null = null;
  let isJudged = false;
  for (const turn of asking.length > 0 ? asking : turns) {
    const findings = findingsOf(turn, options);
    if (findings !== null && hasOwnEvents(turn)) {
      if (rule === 'last-event-closed') expectLastEventClosed(turn);
      else if (rule !== null) expectRuleKept(rule, findings, exchange);
      isJudged = true;
      continue;
    }
    // A stream with nothing but an error is a refusal, to which no rule applies.
    const error = findings === null ? null : errorBody(turn);
    if (error !== null) {
      const reason = `the stream is an error: ${errorInWords(error)}`;
      nothing ??= new Inconclusive(reason, exchange, 'control');
    } else if (turn.socket !== null && isLost(turn.failure)) {
      nothing ??= new Inconclusive(inWords(turn.failure), exchange);
    } else {
      const expected = `a stream of ${exchange.about.protocol} events`;
      throw new ExpectationFailed(expected, outcome(turn), exchange, 'unserved');
    }
  }
  if (nothing !== null && !isJudged) throw nothing;
}

const beyondGrammars: readonly (string | null)[] = [
  null,
  'event-grammar',
  'no-interleaving',
  'last-event-closed',
];

/** Throws for an unknown rule, with which a check would judge nothing. */
function refuseUnknownRule(exchange: Exchange, rule: StreamRule | null): void {
  const protocol = streamingProtocolOf(exchange);
  const rules: readonly string[] = protocol === null ? [] : protocolModules[protocol].stream.rules;
  if (beyondGrammars.includes(rule) || rules.some((own) => own === rule)) return;
  throw new Error(`Streams of ${exchange.about.protocol} have no rule "${rule}"`);
}

/** Judges the framing, which is outside of every grammar: a blank line closes each event. */
function expectLastEventClosed(exchange: Exchange): void {
  const answer = answerOf(exchange);
  if (answer.form !== 'events' || answer.stream.closed) return;
  if (exchange.failure !== null) {
    throw new Inconclusive('the stream was interrupted', exchange);
  }
  throw new ExpectationFailed('a blank line after the last event', 'an end without it', exchange);
}

function expectRuleKept(
  rule: GrammarRule | 'event-grammar' | 'no-interleaving',
  { violations, unjudged }: Findings<GrammarRule>,
  exchange: Exchange,
): void {
  const protocol = streamingProtocolOf(exchange);
  const soft: readonly string[] =
    protocol === null ? [] : protocolModules[protocol].stream.softRules;
  const violation = violations.find((broken) =>
    rule === 'event-grammar' ? !soft.includes(broken.rule) : broken.rule === rule,
  );
  if (violation !== undefined) {
    const { expected, actual, neighbours, index } = violation;
    // Events of a turn are numbered within the turn, so they have no place in the conversation.
    const places = exchange.socket === null ? [`events[${index}]`] : [];
    const failure = new ExpectationFailed(expected, actual, exchange, 'part', { places });
    throw failure.told(`${actual} (${neighbours.join(' | ')})`);
  }
  const reason = unjudged.get(rule);
  if (reason !== undefined) throw new Inconclusive(`${rule} cannot be judged: ${reason}`, exchange);
}

/** True if there is an event of its protocol other than an error or a ping. */
function hasOwnEvents(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  const isOwn = (event: StreamEvent): boolean =>
    protocolOfEvent(event) === exchange.about.protocol && errorIn(event.json) === null;
  return answer.form === 'events' && answer.stream.events.some(isOwn);
}

const kept = remembered(() => new Map<string, Findings<GrammarRule> | null>());

/** Returns the grammar's findings in a stream or in one turn of a socket, or null for neither. */
export function findingsOf(
  exchange: Exchange,
  options: FollowOptions = {},
): Findings<GrammarRule> | null {
  const known = kept(exchange);
  const { resumedAfter = null, cancelled = false, text = null } = options;
  // Absent options and their default values share one entry.
  const key = JSON.stringify([resumedAfter, cancelled, text]);
  let findings = known.get(key);
  if (findings === undefined) {
    const answer = answerOf(exchange);
    findings = answer.form === 'events' ? judge(exchange, answer.stream, options) : null;
    known.set(key, findings);
  }
  return findings;
}

/** Returns the findings of the Responses grammar, or null if the exchange is no Responses stream. */
export function responsesFindings(exchange: Exchange): ResponsesFindings | null {
  const answer = answerOf(exchange);
  return answer.form === 'events' ? judgeResponses(answer.stream) : null;
}

function judge(
  exchange: Exchange,
  stream: EventStream,
  options: FollowOptions,
): Findings<GrammarRule> | null {
  const protocol = streamingProtocolOf(exchange);
  if (protocol === null) return null;
  const { body } = exchange.request;
  const request = body === null ? null : parsed(new TextDecoder().decode(body));
  return protocolModules[protocol].stream.judge(stream, options, request);
}
