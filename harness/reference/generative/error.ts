import type { JsonObject } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** The status name that stands for each HTTP status. What is not listed is a bad argument. */
const names: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
};

/** `{"error": {code, message, status}}`, the code being the HTTP status. */
export function generativeError({ message }: Refusal, status: number): JsonObject {
  return { error: { code: status, message, status: names[status] ?? 'INVALID_ARGUMENT' } };
}
