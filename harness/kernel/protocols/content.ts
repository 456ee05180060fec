import { type Exchange, isObject, listAt, numberAt, type Protocol, textAt } from '../core/index.ts';
import { remembered } from '../wire/index.ts';
import { type Answer, answerOf } from './answer.ts';
import type { Said } from './asked.ts';
import { type ErrorBody, errorIn } from './error-body.ts';
import type { Content, ContentReader } from './module.ts';
import { nativeAnswer, protocolModules, protocolOf, streamingProtocolOf } from './modules.ts';
import { isEnvelope } from './native-body.ts';

/** Readers of the content of answers. No reader judges. */

const noContent: Content = {
  id: null,
  text: '',
  ending: null,
  usage: null,
  toolCalls: [],
  items: [],
};

/** Returns the content of the answer of an exchange, over JSON, SSE or a WebSocket. */
export const contentOf = remembered((exchange) =>
  read(answerOf(exchange), protocolFacts(exchange)?.content ?? null),
);

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

/** The choices or candidates. A protocol with a single answer has one entry. */
export function saidBy(exchange: Exchange): readonly Said[] {
  const protocol = streamingProtocolOf(exchange);
  const answer = answerOf(exchange);
  if (protocol === null || (answer.form !== 'json' && answer.form !== 'events')) return [];
  const values =
    answer.form === 'json' ? [answer.value] : answer.stream.events.map(({ json }) => json);
  return protocolModules[protocol].asking.said(contentOf(exchange), values);
}

function protocolFacts(exchange: Exchange): (typeof protocolModules)[Protocol] | null {
  const protocol = protocolOf(exchange);
  return protocol === null ? null : protocolModules[protocol];
}

function counted(exchange: Exchange, name: string | undefined): number | null {
  return name === undefined ? null : numberAt(contentOf(exchange).usage, name);
}

/** Returns the sum of the counts with these names. A missing count is 0. */
function besides(exchange: Exchange, names: readonly string[] = []): number {
  return names.reduce((sum, name) => sum + (counted(exchange, name) ?? 0), 0);
}

export const tokenCounts = {
  /** The place of a count in an answer, or in the events of one: `usage.prompt_tokens`. */
  placeOf(exchange: Exchange, count: 'input' | 'output'): string | null {
    const usage = protocolFacts(exchange)?.usage ?? null;
    return usage === null ? null : `${usage.member}.${usage[count]}`;
  },
  /** The input; null if not sent. */
  input(exchange: Exchange): number | null {
    return counted(exchange, protocolFacts(exchange)?.usage?.input);
  },
  /** The whole prompt; null if not sent. Messages counts tokens read from or written to the cache separately. */
  prompt(exchange: Exchange): number | null {
    const count = tokenCounts.input(exchange);
    const cached = protocolFacts(exchange)?.usage?.inputBeside;
    return count === null ? null : count + besides(exchange, cached);
  },
  /** The output; null if not sent. */
  output(exchange: Exchange): number | null {
    return counted(exchange, protocolFacts(exchange)?.usage?.output);
  },
  /**
   * Hidden reasoning, for a protocol that does not include it in its output count: generative-content. It counts
   * towards the output limit.
   */
  thoughts(exchange: Exchange): number {
    return besides(exchange, protocolFacts(exchange)?.usage?.outputBeside);
  },
  /** The result of a counting endpoint; null if the answer has none. */
  result(exchange: Exchange): number | null {
    const name = protocolFacts(exchange)?.usage?.counted ?? null;
    return name === null ? null : numberAt(answerOf(exchange).value, name);
  },
};

/** The error in an answer: in its body, or in the first error event of a stream. */
export const errorBody = remembered((exchange): ErrorBody | null => {
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
});

/**
 * The native body of an answer: the JSON body. For a Responses stream or turn, the response in the last event that
 * has one. Undefined if there is none.
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

/** True if the body or any event is wrapped in `{ data, requestId }`. */
export function isEnveloped(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  switch (answer.form) {
    case 'json':
      return isEnvelope(nativeAnswer(exchange), answer.value);
    case 'events':
      return answer.stream.events.some(
        ({ json }) => isObject(json) && 'requestId' in json && 'data' in json && !('type' in json),
      );
    default:
      return false;
  }
}

/** True if the answer holds any output of a model, a compaction or a decision. */
export function hasGeneratedContent(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  if (content.text !== '' || content.toolCalls.length > 0) return true;
  const body = answerOf(exchange).value;
  if (!isObject(body)) return content.items.length > 0;
  if (Object.keys(isObject(body.answers) ? body.answers : {}).length > 0) return true;
  return listAt(body, 'output').length > 0 || listAt(body, 'content').length > 0;
}

/** Returns the token of the next page of a catalog, or null on the last page. */
export function nextPage(page: Exchange): string | null {
  return textAt(answerOf(page).value, 'nextPageToken') || null;
}
