import {
  type Exchange,
  errorBody,
  expectValue,
  Inconclusive,
  isRefused,
} from '../../harness/index.ts';

/** Protocols whose errors say of themselves which HTTP status they belong to. */
export type SelfNamed = 'messages' | 'generate-content';

/** What each of them documents, by HTTP status. Of a status that is not there, nothing is documented. */
const documented: Readonly<Record<SelfNamed, Readonly<Record<number, readonly string[]>>>> = {
  messages: {
    400: [],
    401: ['authentication_error'],
    402: ['billing_error'],
    403: ['permission_error'],
    404: ['not_found_error'],
    409: ['conflict_error'],
    413: ['request_too_large'],
    429: ['rate_limit_error'],
    500: ['api_error'],
    504: ['timeout_error'],
    529: ['overloaded_error'],
  },
  'generate-content': {
    400: ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'OUT_OF_RANGE'],
    401: ['UNAUTHENTICATED'],
    403: ['PERMISSION_DENIED'],
    404: ['NOT_FOUND'],
    409: ['ABORTED', 'ALREADY_EXISTS'],
    429: ['RESOURCE_EXHAUSTED'],
    499: ['CANCELLED'],
    500: ['INTERNAL', 'UNKNOWN', 'DATA_LOSS'],
    501: ['UNIMPLEMENTED'],
    503: ['UNAVAILABLE'],
    504: ['DEADLINE_EXCEEDED'],
  },
};

/** Judges the error of a refusal: what it says of itself belongs to the status that it came with. */
export function expectFitting(endpoint: SelfNamed, refusal: Exchange): void {
  const error = errorBody(refusal);
  const status = refusal.response?.status ?? 0;
  if (!isRefused(refusal) || error === null) {
    throw new Inconclusive('it was not refused with an error', refusal);
  }
  if (typeof error.code === 'number') {
    expectValue(error.code, { as: 'error.code', of: refusal }).toEqual(status);
  }
  const names = documented[endpoint];
  const fitting = names[status];
  // `invalid_request_error` may stand for any fault of the caller, and so may a name of the gateway's own.
  const { type } = error;
  if (fitting === undefined || type === null) return;
  const belongsSomewhere = Object.values(names).some((some) => some.includes(type));
  expectValue(type, { as: 'the name of the error', of: refusal }).toBe(
    `one for ${status} (${fitting.join(', ')}), or one for no status`,
    () => fitting.includes(type) || !belongsSomewhere,
  );
}
