import type { Dialect } from '../dialect.ts';
import { openaiError, openaiErrorEvent } from '../openai-error.ts';

/** The Responses API: over HTTP, with stored responses, and over WebSocket. */
export const responsesDialect: Dialect = {
  name: 'responses',
  declaredAs: 'responses',
  owns: (path) => path.startsWith('/v1/responses'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  requestIdHeader: 'x-request-id',
  statuses: { 'unknown-model': 400 },
  error: openaiError,
  errorEvent: openaiErrorEvent,
  routes: [],
};
