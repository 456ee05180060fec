import type { Exchange } from '../core/exchange.ts';
import { isObject, type JsonObject, listAt } from '../core/json-value.ts';

/** The native bodies of the interface. */
export type BodyKind =
  | 'response'
  | 'input-items'
  | 'deleted'
  | 'compaction'
  | 'input-tokens'
  | 'completion'
  | 'message'
  | 'message-count'
  | 'content'
  | 'content-count'
  | 'systemone'
  | 'models'
  | 'catalog';

const byPath: readonly (readonly [method: string, path: RegExp, kind: BodyKind])[] = [
  ['POST', /\/v1\/responses\/compact$/, 'compaction'],
  ['POST', /\/v1\/responses\/input_tokens$/, 'input-tokens'],
  ['GET', /\/v1\/responses\/[^/]+\/input_items$/, 'input-items'],
  ['POST', /\/v1\/responses\/[^/]+\/cancel$/, 'response'],
  ['DELETE', /\/v1\/responses\/[^/]+$/, 'deleted'],
  ['GET', /\/v1\/responses(\/[^/]+)?$/, 'response'],
  ['POST', /\/v1\/responses$/, 'response'],
  ['POST', /\/v1\/chat\/completions$/, 'completion'],
  ['POST', /\/v1\/messages\/count_tokens$/, 'message-count'],
  ['POST', /\/v1\/messages$/, 'message'],
  ['POST', /:countTokens$/, 'content-count'],
  ['POST', /:(stream)?[gG]enerateContent$/, 'content'],
  ['POST', /\/v1\/systemone$/, 'systemone'],
  ['GET', /\/v1\/models$/, 'models'],
  ['GET', /\/v1beta\/models$/, 'catalog'],
];

/** The body that the interface gives to this request; null for what is no endpoint of it. */
export function bodyKind({ request }: Exchange): BodyKind | null {
  const path = pathOf(request.url);
  const found = byPath.find(
    ([method, pattern]) => method === request.method.toUpperCase() && pattern.test(path),
  );
  return found?.[2] ?? null;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split('?')[0] ?? url);
}

/** How a body of each kind is recognised: by what is its own, not by all that it must have. */
const recognised: Readonly<Record<BodyKind, (body: JsonObject) => boolean>> = {
  response: (body) => body.object === 'response' || Array.isArray(body.output),
  'input-items': (body) => Array.isArray(body.data),
  // What a delete answers is documented by example only.
  deleted: () => true,
  // A generated response has an output, too.
  compaction: (body) =>
    body.object === 'response.compaction' ||
    listAt(body, 'output').some((item) => isObject(item) && item.type === 'compaction'),
  'input-tokens': (body) => 'input_tokens' in body,
  completion: (body) => body.object === 'chat.completion' || Array.isArray(body.choices),
  message: (body) =>
    (body.type === 'message' && body.role === 'assistant') || Array.isArray(body.content),
  'message-count': (body) => 'input_tokens' in body,
  content: (body) => Array.isArray(body.candidates) || isObject(body.promptFeedback),
  // A zero may be left out of protobuf JSON, but nothing that is counted has none.
  'content-count': (body) => 'totalTokens' in body,
  // What it is like is not specified; what another protocol names as its own is none.
  systemone: (body) => Object.keys(body).length > 0 && !/^(response|chat)\b/.test(`${body.object}`),
  models: (body) => Array.isArray(body.data),
  catalog: (body) => Array.isArray(body.models),
};

/**
 * True when a body has the protocol's own members at the top. Deliberately less than its schema: an
 * answer that lacks one member is still an answer, and the shape is a requirement of its own.
 */
export function isNativeBody(kind: BodyKind, body: unknown): boolean {
  return isObject(body) && !isEnvelope(kind, body) && recognised[kind](body);
}

/** True for `{ data, requestId }` around a native body; a list's own `data` is native. */
export function isEnvelope(kind: BodyKind | null, body: unknown): boolean {
  if (!isObject(body) || !('data' in body)) return false;
  if (!('requestId' in body) && !('request_id' in body)) return false;
  if (Array.isArray(body.data)) return body.object !== 'list';
  return kind === null || kind === 'systemone' || kind === 'deleted' || !recognised[kind](body);
}
