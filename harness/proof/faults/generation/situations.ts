import {
  type Call,
  type Defect,
  isArray,
  type Json,
  type JsonObject,
} from '../../../reference/index.ts';
import { changed, memberAt, set } from '../../editing.ts';
import { bodies, created, responseAt } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Values that are documented, where the situation does not allow them. Each in one corner only: in the
// answer to a conversation of several turns, or to a list of items.

/** True if the request has several turns, and no tools. */
function isConversation({ body }: Call): boolean {
  const turns = body.messages ?? body.contents;
  return isArray(turns) && turns.length > 1 && body.tools === undefined;
}

/** Another value where a conversation ended of its own accord. */
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

/** Changes a completed response that was made of a list of items. */
function completed(change: (body: JsonObject) => JsonObject): Defect['override'] {
  return responseAt(created, 'one-body', (body, { parts: { request } }) =>
    body.status === 'completed' && request.input.length > 1 ? change(body) : body,
  );
}

const reason: Json = { reason: 'max_output_tokens' };

export const situationFaults: readonly Fault[] = [
  {
    id: 'situations.call-without-tools',
    what: 'A conversation without tools ends with `tool_calls` on Chat Completions.',
    breaks: ['everywhere/native.ending-fits-request:chat-completions'],
    shownBy: ['generation/chat-completions.conversation-served'],
    override: ended('chat-completions.completion', 'choices.0.finish_reason', 'stop', 'tool_calls'),
  },
  {
    id: 'situations.unasked-stop-sequence',
    what: 'A conversation without stop sequences ends with `stop_sequence` on Messages.',
    breaks: ['everywhere/native.ending-fits-request:messages'],
    shownBy: ['generation/messages.conversation-served'],
    override: ended('messages.message', 'stop_reason', 'end_turn', 'stop_sequence', (body) =>
      set(body, 'stop_sequence', '.'),
    ),
  },
  {
    id: 'situations.malformed-call-without-tools',
    what: 'A conversation without tools ends with `MALFORMED_FUNCTION_CALL` on generative-content.',
    breaks: ['everywhere/native.ending-fits-request:generative'],
    shownBy: ['generation/generative.conversation-served'],
    override: ended(
      'generative.response',
      'candidates.0.finishReason',
      'STOP',
      'MALFORMED_FUNCTION_CALL',
    ),
  },
  {
    id: 'situations.cancelled-in-foreground',
    what: 'A response to a list of items, which nobody cancelled, is `cancelled`.',
    breaks: ['everywhere/native.ending-fits-request:responses'],
    shownBy: ['generation/responses.item-input'],
    override: completed((body) => set(body, 'status', 'cancelled')),
  },
  {
    id: 'situations.stop-sequence-named',
    what: 'The message that ends a conversation of its own accord names a stop sequence.',
    breaks: ['generation/messages.shape'],
    shownBy: ['generation/messages.conversation-served'],
    override: ended('messages.message', 'stop_reason', 'end_turn', 'end_turn', (body) =>
      set(body, 'stop_sequence', '.'),
    ),
  },
  {
    id: 'situations.completed-with-error',
    what: 'A completed response has an error.',
    breaks: ['generation/responses.shape'],
    shownBy: ['generation/responses.item-input'],
    override: completed((body) =>
      set(body, 'error', { code: 'server_error', message: 'The model failed.' }),
    ),
  },
  {
    id: 'situations.completed-with-reason',
    what: 'A completed response has a reason why it is incomplete.',
    breaks: ['generation/responses.shape'],
    shownBy: ['generation/responses.item-input'],
    override: completed((body) => set(body, 'incomplete_details', reason)),
  },
  {
    id: 'situations.item-in-progress',
    what: 'An item of a completed response is still in progress.',
    breaks: ['generation/responses.shape'],
    shownBy: ['generation/responses.item-input'],
    override: completed((body) => changed(body, 'output.0.status', () => 'in_progress')),
  },
];
