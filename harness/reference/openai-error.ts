import type { StreamEvent } from './dialect.ts';
import type { JsonObject } from './json.ts';
import type { Refusal, RefusalReason } from './refusal.ts';

/** Error codes that the OpenAI-style protocols document or are seen to send. Other refusals have none. */
const codes: Partial<Record<RefusalReason, string>> = {
  'unknown-key': 'invalid_api_key',
  'missing-parameter': 'missing_required_parameter',
  'wrong-type': 'invalid_type',
  'invalid-value': 'invalid_value',
  'limit-too-small': 'integer_below_min_value',
  'limit-too-large': 'integer_above_max_value',
  'unknown-model': 'model_not_found',
  'unknown-previous-response': 'previous_response_not_found',
  'background-needs-store': 'unsupported_parameter',
  'unsupported-capability': 'unsupported_value',
};

/** Returns `{"error": {message, type, param, code}}`, for Responses, Chat Completions and the model list. */
export function openaiError(refusal: Refusal, status: number): JsonObject {
  return {
    error: {
      message: refusal.message,
      type: refusal.told.type ?? typeOf(status),
      param: refusal.param,
      code:
        refusal.told.code ??
        codes[refusal.reason] ??
        (status === 429 ? 'rate_limit_exceeded' : null),
    },
  };
}

function typeOf(status: number): string {
  if (status === 429) return 'requests';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** Returns an error as the only event of a typed stream. The error is nested as on the recorded wire. */
export function openaiErrorEvent(refusal: Refusal, status: number): StreamEvent {
  return {
    name: 'error',
    data: { type: 'error', sequence_number: 0, ...openaiError(refusal, status) },
  };
}
