import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject } from '../../core/json-value.ts';
import { fixture } from '../../core/package-root.ts';
import type { Call } from '../../reference/call.ts';
import { isArray, isObject as isJsonObject, type Json } from '../../reference/json.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { continues, decide } from '../decisions.ts';
import { endpointOf, together } from '../planting.ts';
import type { Fault } from './fault.ts';

// A gateway that serves everything but one operation, which it refuses whoever asks. A check whose first
// step is that operation may call this a missing precondition, so for each there has to be one that fails.

/** Which calls are the operation, by its name in `fixtures/requirements/operations.yaml`. */
export const operations: Readonly<Record<string, (call: Call) => boolean>> = {
  responses: (call) => creates(call) && isPlain(call) && !continues(call),
  'responses-stream': (call) => creates(call) && streams(call) && !inBackground(call),
  background: (call) => creates(call) && inBackground(call),
  'background-stream': (call) => creates(call) && inBackground(call) && streams(call),
  continuation: (call) => creates(call) && continues(call),
  'continuation-stream': (call) => creates(call) && continues(call) && streams(call),
  'item-input': (call) => creates(call) && isArray(call.body.input) && !hasCall(call.body.input),
  'chat-completions': (call) => call.operation === 'chat-completions.create' && !streams(call),
  'chat-completions-stream': (call) =>
    call.operation === 'chat-completions.create' && streams(call),
  messages: (call) => call.operation === 'messages.create' && !streams(call),
  'messages-stream': (call) => call.operation === 'messages.create' && streams(call),
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

function streams({ body }: Call): boolean {
  return body.stream === true;
}

function inBackground({ body }: Call): boolean {
  return body.background === true;
}

function isPlain(call: Call): boolean {
  return !streams(call) && !inBackground(call);
}

function isTurn({ operation }: Call): boolean {
  return operation === 'responses.websocket';
}

function hasTurns(list: Json | undefined, role: string): boolean {
  return isArray(list) && list.some((turn) => isJsonObject(turn) && turn.role === role);
}

/** The result of a call goes back in a conversation, too. */
function hasCall(list: Json | undefined): boolean {
  return /"(function_call|tool_calls|tool_use|functionCall)"/.test(JSON.stringify(list ?? null));
}

/** How a gateway refuses all of an operation. */
const ways = {
  refused: ['invalid-value', 'refuses'],
  broken: ['internal-error', 'answers 500 to'],
} as const;

function refusing(
  fits: (call: Call) => boolean,
  reason: 'invalid-value' | 'internal-error',
): Defect['override'] {
  const stop = (call: Call): void => {
    if (fits(call)) throw new Refusal(reason, 'This cannot be done.');
  };
  return together(
    // A turn on a WebSocket has no route of its own.
    decide('findModel', (native) => (id, call) => {
      if (isTurn(call)) stop(call);
      return native(id, call);
    }),
    decide('keyFor', (native) => (secret, call) => {
      const key = native(secret, call);
      if (key !== undefined && isTurn(call)) stop(call);
      return key;
    }),
    ({ endpoints }) => ({
      endpoints: {
        routes: (dialect) =>
          endpoints.routes(dialect).map((route) => ({
            ...route,
            handle: (call, key) => {
              stop(call);
              return route.handle(call, key);
            },
          })),
      },
    }),
  );
}

const failing: unknown = load(readFileSync(fixture('requirements', 'operations.yaml'), 'utf8'), {
  schema: CORE_SCHEMA,
});

export const refusedOutrightFaults: readonly Fault[] = Object.entries(
  isObject(failing) ? failing : {},
).flatMap(([operation, check]) =>
  Object.entries(ways).map(([way, [reason, does]]): Fault => {
    const fits = operations[operation];
    if (fits === undefined) throw new Error(`operations.yaml: no operation ${operation} is known`);
    return {
      id: `outright.${operation}-${way}`,
      what: `The gateway ${does} every request for the operation \`${operation}\`.`,
      breaks: [String(check)],
      override: refusing(fits, reason),
    };
  }),
);
