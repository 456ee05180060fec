import { at, type Cause, cutLine, isObject, type JsonObject, shown } from '../core/index.ts';

export interface ErrorBody {
  /** String in most protocols, number on generative-content. */
  readonly code: string | number | null;
  /** `invalid_request_error`, or the RPC status name on generative-content. */
  readonly type: string | null;
  readonly message: string;
  /** The HTTP status inside of the error: error frames of a WebSocket, generative-content. */
  readonly status: number | null;
}

/**
 * The error in a body, event or frame: `{ error }`, `{ type: "error", … }` nested or flat, `{ detail }`, or a bare
 * `{ message, type | code }`. Null if there is none. A failed response has its error inside of the response and
 * counts as an answer.
 */
export function errorIn(value: unknown): ErrorBody | null {
  if (!isObject(value)) return null;
  if (value.object === 'response' || Array.isArray(value.choices)) return null;
  if (typeof value.type === 'string' && value.type.startsWith('response.')) return null;
  if (isObject(value.error)) return readError(value.error, value);
  if (typeof value.error === 'string') {
    const { message, ...rest } = readError(value, value);
    const both = message === '' ? value.error : `${value.error}: ${message}`;
    return { ...rest, message: both };
  }
  if (value.type === 'error') return readError(value, value);
  if ('detail' in value) {
    const message = typeof value.detail === 'string' ? value.detail : shown(value.detail);
    return { ...readError(isObject(value.detail) ? value.detail : {}, value), message };
  }
  const named = typeof value.type === 'string' || 'code' in value || 'status' in value;
  const bare = typeof value.message === 'string' && (named || Object.keys(value).length === 1);
  return bare && !('role' in value) ? readError(value, value) : null;
}

function readError(error: JsonObject, around: JsonObject): ErrorBody {
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

/** The error of a failed response, or null. */
export function failureIn(response: unknown): ErrorBody | null {
  if (at(response, 'status') !== 'failed') return null;
  const error = at(response, 'error');
  return readError(isObject(error) ? error : {}, {});
}

/** `invalid_request_error (model_not_found): There is no model…` */
export function errorInWords({ code, type, message }: ErrorBody): string {
  if (type === null && code === null && message !== '') return cutLine(message);
  const head = type === null ? String(code ?? 'error') : code === null ? type : `${type} (${code})`;
  return message === '' ? head : `${head}: ${cutLine(message)}`;
}

/** A transient condition, which proves nothing about a requirement. */
interface Transient {
  readonly cause: Cause;
  readonly words: string;
}

const noCredit: Transient = { cause: 'no-credit', words: 'no credit' };
const rateLimit: Transient = { cause: 'rate-limit', words: 'a rate limit' };
const connections: Transient = { cause: 'rate-limit', words: 'a limit of connections' };
const badGateway: Transient = { cause: 'unreachable', words: 'a bad gateway' };
const overload: Transient = { cause: 'overload', words: 'an overload' };
const timeout: Transient = { cause: 'timeout', words: 'a time-out of the gateway' };

const undecidedNames: Readonly<Record<string, Transient>> = {
  billing_error: noCredit,
  insufficient_quota: noCredit,
  rate_limit_error: rateLimit,
  rate_limit_exceeded: rateLimit,
  too_many_requests: rateLimit,
  RESOURCE_EXHAUSTED: rateLimit,
  websocket_connection_limit_reached: connections,
  overloaded_error: overload,
  server_overloaded: overload,
  UNAVAILABLE: overload,
  timeout_error: timeout,
  DEADLINE_EXCEEDED: timeout,
};

/** Statuses that decide nothing: no credit, rate limits, overload, and errors of intermediaries. */
export const undecidedStatuses: Readonly<Record<number, Transient>> = {
  402: noCredit,
  429: rateLimit,
  502: badGateway,
  503: overload,
  504: timeout,
  529: overload,
};

/** Returns the reason why an error in a stream leaves a check undecided, or null if it decides the check. */
export function undecidedError({ code, type, status }: ErrorBody): Transient | null {
  for (const name of [code, type]) {
    if (typeof name === 'string' && Object.hasOwn(undecidedNames, name)) {
      return undecidedNames[name] ?? null;
    }
  }
  return status === null ? null : (undecidedStatuses[status] ?? null);
}
