import type { JsonObject } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** Status name for each HTTP status; any other client error is an invalid argument. */
const names: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Returns `{"error": {code, message, status}}`, where the code is the HTTP status. */
export function generativeError({ message, told }: Refusal, status: number): JsonObject {
  const usual = names[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  return { error: { code: status, message, status: told.type ?? usual } };
}
