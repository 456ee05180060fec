import type { Exchange } from '../core/exchange.ts';
import { isObject, listAt, numberAt } from '../core/json-value.ts';
import type { ExchangeProtocol } from '../core/protocol.ts';
import { type Answer, answerOf } from './answer.ts';
import { chatContent } from './chat-completions/content.ts';
import { bodyKind, isEnvelope } from './endpoint.ts';
import { type ErrorBody, errorIn } from './error-body.ts';
import { generativeContent } from './generative/content.ts';
import type { EventStream, ToolCall } from './grammar.ts';
import { messagesContent } from './messages/content.ts';
import { responsesContent } from './responses/content.ts';

/** What a generation says, in the same words for each protocol. Nothing here judges. */
export interface Content {
  readonly id: string | null;
  /** Joined visible text; '' when there is none. */
  readonly text: string;
  /** `status`, `finish_reason`, `stop_reason` or `finishReason`, as it came. */
  readonly ending: string | null;
  /** The native usage object, as it came. */
  readonly usage: unknown;
  readonly toolCalls: readonly ToolCall[];
  /** Output items, choices, content blocks or candidates of the whole answer. */
  readonly items: readonly unknown[];
}

/** How the answers of one protocol are read. */
export interface ContentReader {
  fromBody(body: unknown): Content;
  fromEvents(stream: EventStream): Content;
}

export const noContent: Content = {
  id: null,
  text: '',
  ending: null,
  usage: null,
  toolCalls: [],
  items: [],
};

const readers: Readonly<Record<ExchangeProtocol, ContentReader | null>> = {
  responses: responsesContent,
  'chat-completions': chatContent,
  messages: messagesContent,
  generative: generativeContent,
  systemone: null,
  models: null,
  probe: null,
};

const kept = new WeakMap<Exchange, Content>();

/** What the answer of an exchange says, whether it came as JSON, as SSE or over a WebSocket. */
export function contentOf(exchange: Exchange): Content {
  let content = kept.get(exchange);
  if (content === undefined) {
    content = read(answerOf(exchange), readers[exchange.about.protocol]);
    kept.set(exchange, content);
  }
  return content;
}

function read(answer: Answer, reader: ContentReader | null): Content {
  if (reader === null) return noContent;
  switch (answer.form) {
    case 'json':
      return reader.fromBody(answer.value);
    case 'events':
      return reader.fromEvents(answer.stream);
    default:
      return noContent;
  }
}

/** The generated text; '' when there is none. */
export function generatedText(exchange: Exchange): string {
  return contentOf(exchange).text;
}

/** The id of a response, completion or message; on generative-content the `responseId`. */
export function answerId(exchange: Exchange): string | null {
  return contentOf(exchange).id;
}

/** The native usage object; null when none was sent. */
export function usage(exchange: Exchange): unknown {
  return contentOf(exchange).usage;
}

/** Counted input tokens, by whatever name the protocol has for them; null when not sent. */
export function inputTokens(exchange: Exchange): number | null {
  const found = usage(exchange);
  for (const name of ['input_tokens', 'prompt_tokens', 'promptTokenCount']) {
    const count = numberAt(found, name);
    if (count !== null) return count;
  }
  return null;
}

/**
 * Counted tokens of the whole prompt; null when not sent. On Messages those that were kept from before,
 * or are kept for later, are counted apart.
 */
export function promptTokens(exchange: Exchange): number | null {
  const count = inputTokens(exchange);
  if (count === null || exchange.about.protocol !== 'messages') return count;
  const apart = ['cache_read_input_tokens', 'cache_creation_input_tokens'];
  const kept = apart.map((name) => numberAt(usage(exchange), name) ?? 0);
  return kept.reduce((sum, one) => sum + one, count);
}

/** Counted output tokens, by whatever name the protocol has for them; null when not sent. */
export function outputTokens(exchange: Exchange): number | null {
  const found = usage(exchange);
  for (const name of ['output_tokens', 'completion_tokens', 'candidatesTokenCount']) {
    const count = numberAt(found, name);
    if (count !== null) return count;
  }
  return null;
}

/**
 * Tokens that were thought and never shown, where the protocol counts them beside its output and not
 * in it: on generative-content. They use up the limit of the output all the same.
 */
export function thoughtTokens(exchange: Exchange): number {
  return numberAt(usage(exchange), 'thoughtsTokenCount') ?? 0;
}

/** What a counting endpoint counted; null when the answer has no count. */
export function tokenCount(exchange: Exchange): number | null {
  const body = jsonBody(exchange);
  return numberAt(body, 'input_tokens') ?? numberAt(body, 'totalTokens');
}

/** `status`, `finish_reason`, `stop_reason` or `finishReason`. */
export function ending(exchange: Exchange): string | null {
  return contentOf(exchange).ending;
}

/** Output items, choices, content blocks or candidates. */
export function outputItems(exchange: Exchange): readonly unknown[] {
  return contentOf(exchange).items;
}

/** The functions that the model wants called. */
export function toolCalls(exchange: Exchange): readonly ToolCall[] {
  return contentOf(exchange).toolCalls;
}

/** The error that the answer carries: in its body, or as the first error event of a stream. */
export function errorBody(exchange: Exchange): ErrorBody | null {
  const answer = answerOf(exchange);
  switch (answer.form) {
    case 'json':
      return errorIn(answer.value);
    case 'events':
      for (const { json } of answer.stream.events) {
        const error = errorIn(json);
        if (error !== null) return error;
      }
      return null;
    default:
      return null;
  }
}

/** The JSON body, or undefined when the answer is none. */
export function jsonBody(exchange: Exchange): unknown {
  const answer = answerOf(exchange);
  return answer.form === 'json' ? answer.value : undefined;
}

/**
 * The native body that the answer comes to: the JSON body, or of a Responses stream or turn the
 * response of its last event that has one. Undefined when there is none.
 */
export function nativeBody(exchange: Exchange): unknown {
  const answer = answerOf(exchange);
  if (answer.form === 'json') return answer.value;
  if (answer.form !== 'events') return undefined;
  for (const { json } of answer.stream.events.toReversed()) {
    if (isObject(json) && isObject(json.response)) return json.response;
  }
  return undefined;
}

/** True when the body, or any event, is wrapped in `{ data, requestId }`. */
export function isEnveloped(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  switch (answer.form) {
    case 'json':
      return isEnvelope(bodyKind(exchange), answer.value);
    case 'events':
      return answer.stream.events.some(
        ({ json }) => isObject(json) && 'requestId' in json && 'data' in json && !('type' in json),
      );
    default:
      return false;
  }
}

/** True when the answer holds anything that a model, a compaction or a decision produced. */
export function hasGeneratedContent(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  if (content.text !== '' || content.toolCalls.length > 0) return true;
  const body = jsonBody(exchange);
  if (!isObject(body)) return content.items.length > 0;
  if (Object.keys(isObject(body.answers) ? body.answers : {}).length > 0) return true;
  return listAt(body, 'output').length > 0 || listAt(body, 'content').length > 0;
}
