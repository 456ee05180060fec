import type { Dialect, Route } from '../call.ts';
import type { Operation } from '../dialect.ts';
import { openaiError, openaiErrorEvent } from '../openai-error.ts';
import { Refusal } from '../refusal.ts';
import { connect } from './connection.ts';
import { compact, inputTokens } from './conversation.ts';
import { create } from './create.ts';
import { inputItems } from './input-items.ts';
import { cancel, lookup, remove } from './stored.ts';

const collection = /^\/v1\/responses$/;

/** Responses API: over HTTP, with stored responses, and over WebSocket. */
export const responsesDialect: Dialect = {
  name: 'responses',
  declaredAs: 'responses',
  owns: (path) => path.startsWith('/v1/responses'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  requestIdHeader: 'x-request-id',
  // The native API treats an unknown model as an invalid value in the body, not as a missing resource.
  statuses: { 'unknown-model': 400 },
  error: openaiError,
  errorEvent: openaiErrorEvent,
  routes: [
    post(collection, 'responses.create', create),
    post(/^\/v1\/responses\/compact$/, 'responses.compact', compact),
    post(/^\/v1\/responses\/input_tokens$/, 'responses.input-tokens', inputTokens),
    {
      method: 'POST',
      path: /^\/v1\/responses\/(?<id>[^/]+)\/cancel$/,
      operation: () => 'responses.cancel',
      // The reference call sends no body; any body is ignored.
      body: 'ignored',
      handle: cancel,
    },
    {
      method: 'GET',
      path: collection,
      operation: () => 'responses.websocket',
      body: 'ignored',
      handle: () => {
        throw new Refusal('upgrade-required', 'GET /v1/responses is a WebSocket endpoint.', null, {
          connection: 'Upgrade',
          upgrade: 'websocket',
        });
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/responses\/(?<id>[^/]+)$/,
      operation: (_params, query) =>
        query.get('stream') === 'true' ? 'responses.recover' : 'responses.lookup',
      body: 'ignored',
      handle: lookup,
    },
    {
      method: 'GET',
      path: /^\/v1\/responses\/(?<id>[^/]+)\/input_items$/,
      operation: () => 'responses.input-items',
      body: 'ignored',
      handle: inputItems,
    },
    {
      method: 'DELETE',
      path: /^\/v1\/responses\/(?<id>[^/]+)$/,
      operation: () => 'responses.delete',
      body: 'ignored',
      handle: remove,
    },
  ],
  upgrade: { path: collection, operation: 'responses.websocket', connect },
};

function post(path: RegExp, operation: Operation, handle: Route['handle']): Route {
  return { method: 'POST', path, operation: () => operation, body: 'json', handle };
}
