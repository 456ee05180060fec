import type { Call } from '../call.ts';
import type { JsonObject } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** Documented error type of each status; any other client error is an invalid request. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Returns `{"type": "error", "error": {type, message}, "request_id"}`. */
export function messagesError({ message, told }: Refusal, status: number, call: Call): JsonObject {
  return {
    type: 'error',
    error: {
      type: told.type ?? types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
      message,
    },
    request_id: call.requestId,
  };
}
