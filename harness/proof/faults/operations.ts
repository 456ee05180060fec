import { type Call, isArray, isObject as isJsonObject, type Json } from '../../reference/index.ts';
import { continues } from '../decisions.ts';
import { endpointOf } from '../planting.ts';

/** Matches the calls of each operation, by its name in `fixtures/requirements/operations.yaml`. */
export const operations: Readonly<Record<string, (call: Call) => boolean>> = {
  responses: (call) => creates(call) && isPlain(call) && !continues(call),
  'responses-stream': (call) => creates(call) && asksForStream(call) && !inBackground(call),
  background: (call) => creates(call) && inBackground(call),
  'background-stream': (call) => creates(call) && inBackground(call) && asksForStream(call),
  continuation: (call) => creates(call) && continues(call),
  'continuation-stream': (call) => creates(call) && continues(call) && asksForStream(call),
  'item-input': (call) => creates(call) && isArray(call.body.input) && !hasCall(call.body.input),
  'chat-completions': (call) =>
    call.operation === 'chat-completions.create' && !asksForStream(call),
  'chat-completions-stream': (call) =>
    call.operation === 'chat-completions.create' && asksForStream(call),
  messages: (call) => call.operation === 'messages.create' && !asksForStream(call),
  'messages-stream': (call) => call.operation === 'messages.create' && asksForStream(call),
  'generate-content': (call) => endpointOf(call) === 'generate-content',
  'stream-generate-content': (call) => endpointOf(call) === 'stream-generate-content',
  'count-tokens': (call) => endpointOf(call) === 'count-tokens',
  'alternate-generate-content': (call) =>
    endpointOf(call) === 'alternate-path' && call.operation === 'generative.generate',
  'alternate-stream-generate-content': (call) =>
    endpointOf(call) === 'alternate-path' && call.operation === 'generative.stream',
  'alternate-count-tokens': (call) =>
    endpointOf(call) === 'alternate-path' && call.operation === 'generative.count-tokens',
  systemone: (call) => endpointOf(call) === 'systemone',
  models: (call) => endpointOf(call) === 'models',
  catalog: (call) => endpointOf(call) === 'catalog',
  'catalog-page': (call) => endpointOf(call) === 'catalog' && call.query.has('pageToken'),
  lookup: ({ operation }) => operation === 'responses.lookup',
  'input-items': ({ operation }) => operation === 'responses.input-items',
  recover: ({ operation }) => operation === 'responses.recover',
  cancel: ({ operation }) => operation === 'responses.cancel',
  delete: ({ operation }) => operation === 'responses.delete',
  compact: ({ operation }) => operation === 'responses.compact',
  'input-tokens': ({ operation }) => operation === 'responses.input-tokens',
  'messages-count-tokens': ({ operation }) => operation === 'messages.count-tokens',
  websocket: (call) => isTurn(call) && call.body.type === undefined,
  'websocket-turn': isTurn,
  'websocket-continuation': (call) => isTurn(call) && continues(call),
  'chat-completions-conversation': ({ operation, body }) =>
    operation === 'chat-completions.create' &&
    hasTurns(body.messages, 'assistant') &&
    !hasCall(body.messages),
  'messages-conversation': ({ operation, body }) =>
    operation === 'messages.create' &&
    hasTurns(body.messages, 'assistant') &&
    !hasCall(body.messages),
  'generative-conversation': ({ operation, body }) =>
    operation === 'generative.generate' &&
    hasTurns(body.contents, 'model') &&
    !hasCall(body.contents),
  stored: (call) => creates(call) && isPlain(call) && call.body.store === true,
  unstored: (call) => creates(call) && isPlain(call) && call.body.store === false,
  'unstored-turn': (call) => isTurn(call) && call.body.store === false,
  'stored-turn': (call) => isTurn(call) && call.body.store === true,
  'recover-from-start': (call) =>
    call.operation === 'responses.recover' && !call.query.has('starting_after'),
  'input-items-page': ({ operation, query }) =>
    operation === 'responses.input-items' && query.has('after'),
  'chat-completions-stream-usage': (call) =>
    call.operation === 'chat-completions.create' && call.body.stream_options !== undefined,
};

function creates({ operation }: Call): boolean {
  return operation === 'responses.create';
}

function asksForStream({ body }: Call): boolean {
  return body.stream === true;
}

function inBackground({ body }: Call): boolean {
  return body.background === true;
}

function isPlain(call: Call): boolean {
  return !asksForStream(call) && !inBackground(call);
}

export function isTurn({ operation }: Call): boolean {
  return operation === 'responses.websocket';
}

function hasTurns(list: Json | undefined, role: string): boolean {
  return isArray(list) && list.some((turn) => isJsonObject(turn) && turn.role === role);
}

/** True for a call in a list: a result also goes back in a conversation. */
function hasCall(list: Json | undefined): boolean {
  return /"(function_call|tool_calls|tool_use|functionCall)"/.test(JSON.stringify(list ?? null));
}
