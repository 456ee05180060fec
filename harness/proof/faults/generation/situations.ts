import {
  type Call,
  type Defect,
  isArray,
  type Json,
  type JsonObject,
} from '../../../reference/index.ts';
import { memberAt, set, setting } from '../../editing.ts';
import { bodies, created, responseAt } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

// Documented values in situations that do not allow them. Each occurs in one corner only: in the answer to a
// conversation of several turns, or to a list of items.

/** True if the request has several turns, and no tools. */
function isConversation({ body }: Call): boolean {
  const turns = body.messages ?? body.contents;
  return isArray(turns) && turns.length > 1 && body.tools === undefined;
}

/** Changes a value where a conversation ended naturally. */
function ended(
  kind: Parameters<typeof bodies>[0],
  path: string,
  complete: string,
  other: string,
  besides: (body: JsonObject) => JsonObject = (body) => body,
): Defect['override'] {
  return bodies(kind, (body, { call }) =>
    memberAt(body, path) === complete && isConversation(call)
      ? besides(set(body, path, other))
      : body,
  );
}

/** Changes a completed response whose input was a list of items. */
function completed(change: (body: JsonObject) => JsonObject): Defect['override'] {
  return responseAt(created, 'one-body', (body, { parts: { request } }) =>
    body.status === 'completed' && request.input.length > 1 ? change(body) : body,
  );
}

const reason: Json = { reason: 'max_output_tokens' };

export const situationFaults: readonly Fault[] = planted({
  'situations.call-without-tools': ended(
    'chat-completions.completion',
    'choices.0.finish_reason',
    'stop',
    'tool_calls',
  ),
  'situations.unasked-stop-sequence': ended(
    'messages.message',
    'stop_reason',
    'end_turn',
    'stop_sequence',
    setting('stop_sequence', '.'),
  ),
  'situations.malformed-call-without-tools': ended(
    'generative.response',
    'candidates.0.finishReason',
    'STOP',
    'MALFORMED_FUNCTION_CALL',
  ),
  'situations.cancelled-in-foreground': completed(setting('status', 'cancelled')),
  'situations.stop-sequence-named': ended(
    'messages.message',
    'stop_reason',
    'end_turn',
    'end_turn',
    setting('stop_sequence', '.'),
  ),
  'situations.completed-with-error': completed(
    setting('error', { code: 'server_error', message: 'The model failed.' }),
  ),
  'situations.completed-with-reason': completed(setting('incomplete_details', reason)),
  'situations.item-in-progress': completed(setting('output.0.status', 'in_progress')),
});
