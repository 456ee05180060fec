import { at, cut, isObject, type JsonObject, shown } from '../core/json-value.ts';

/** A native error, whichever protocol's it is. */
export interface ErrorBody {
  /** String in most protocols, a number on generative-content. */
  readonly code: string | number | null;
  /** `invalid_request_error`, or the RPC status name on generative-content. */
  readonly type: string | null;
  readonly message: string;
  /** The HTTP status that the error itself names: error frames of a WebSocket, generative-content. */
  readonly status: number | null;
}

/**
 * The error in a body, event or frame: `{ error }`, `{ type: "error", … }` nested or flat,
 * `{ detail }`, or a bare `{ message, type | code }`. Null when there is none: a response that
 * failed carries its error inside the response and is an answer.
 */
export function errorIn(value: unknown): ErrorBody | null {
  if (!isObject(value)) return null;
  if (value.object === 'response' || Array.isArray(value.choices)) return null;
  if (typeof value.type === 'string' && value.type.startsWith('response.')) return null;
  if (isObject(value.error)) return read(value.error, value);
  if (typeof value.error === 'string') {
    const { message, ...rest } = read(value, value);
    const both = message === '' ? value.error : `${value.error}: ${message}`;
    return { ...rest, message: both };
  }
  if (value.type === 'error') return read(value, value);
  if ('detail' in value) {
    const message = typeof value.detail === 'string' ? value.detail : shown(value.detail);
    return { ...read(isObject(value.detail) ? value.detail : {}, value), message };
  }
  const named = typeof value.type === 'string' || 'code' in value || 'status' in value;
  const bare = typeof value.message === 'string' && (named || Object.keys(value).length === 1);
  return bare && !('role' in value) ? read(value, value) : null;
}

function read(error: JsonObject, around: JsonObject): ErrorBody {
  const code = error.code;
  const type = error.type ?? error.error_type ?? error.status;
  const status = around.status ?? error.code;
  return {
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
    type: typeof type === 'string' && type !== 'error' ? type : null,
    message: typeof error.message === 'string' ? error.message : '',
    status: typeof status === 'number' ? status : null,
  };
}

/** The error of a response whose run failed; null when it did not. */
export function failureIn(response: unknown): ErrorBody | null {
  if (at(response, 'status') !== 'failed') return null;
  const error = at(response, 'error');
  return read(isObject(error) ? error : {}, {});
}

/** `invalid_request_error (model_not_found): There is no model…` */
export function errorInWords({ code, type, message }: ErrorBody): string {
  if (type === null && code === null && message !== '') return cut(message);
  const head = type === null ? String(code ?? 'error') : code === null ? type : `${type} (${code})`;
  return message === '' ? head : `${head}: ${cut(message)}`;
}

const undecidedNames: Readonly<Record<string, string>> = {
  billing_error: 'no credit',
  insufficient_quota: 'no credit',
  rate_limit_error: 'a rate limit',
  rate_limit_exceeded: 'a rate limit',
  too_many_requests: 'a rate limit',
  RESOURCE_EXHAUSTED: 'a rate limit',
  websocket_connection_limit_reached: 'a limit of connections',
  overloaded_error: 'an overload',
  server_overloaded: 'an overload',
  UNAVAILABLE: 'an overload',
  timeout_error: 'a time-out of the gateway',
  DEADLINE_EXCEEDED: 'a time-out of the gateway',
};

/** Statuses that decide nothing: no credit, rate limits, overload, and what stands before a gateway. */
export const undecidedStatuses: Readonly<Record<number, string>> = {
  402: 'no credit',
  429: 'a rate limit',
  502: 'a bad gateway',
  503: 'an overload',
  504: 'a time-out of the gateway',
  529: 'an overload',
};

/** Why an error that came inside a stream decides nothing; null when it does decide. */
export function undecidedError({ code, type, status }: ErrorBody): string | null {
  for (const name of [code, type]) {
    if (typeof name === 'string' && Object.hasOwn(undecidedNames, name)) {
      return undecidedNames[name] ?? null;
    }
  }
  return status === null ? null : (undecidedStatuses[status] ?? null);
}
