import type { JsonObject } from '../json.ts';
import { openaiLogprobs } from '../logprobs.ts';
import type { ResponseTurn } from './turn.ts';

/** The native response object of a turn, as of now. */
export function responseObject(turn: ResponseTurn): JsonObject {
  const { id, request } = turn.parts;
  const { status } = turn;
  return {
    id,
    object: 'response',
    created_at: turn.createdAt,
    status,
    background: request.background,
    completed_at: turn.completedAt,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions,
    model: request.model.id,
    output: turn.output(),
    previous_response_id: request.previousResponseId,
    store: request.store,
    ...request.echo,
    usage: turn.finished ? usage(turn.parts.generation.inputTokens, turn.run.outputTokens) : null,
  };
}

export function usage(input: number, output: number): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

/** What the turn has written so far: a message, or the call of a function. */
export function outputItem(turn: ResponseTurn): JsonObject {
  const { itemId, callId, generation } = turn.parts;
  const { status } = turn;
  const itemStatus = status === 'completed' || status === 'in_progress' ? status : 'incomplete';
  if (generation.call !== null) {
    return {
      id: itemId,
      type: 'function_call',
      status: itemStatus,
      arguments: turn.written,
      call_id: callId,
      name: generation.call,
    };
  }
  return {
    id: itemId,
    type: 'message',
    status: itemStatus,
    role: 'assistant',
    content: [outputText(turn.run.pieces.entries, turn)],
  };
}

export function outputText(pieces: readonly string[], turn: ResponseTurn): JsonObject {
  const logprobs = logprobsOf(pieces, turn);
  return { type: 'output_text', text: pieces.join(''), annotations: [], logprobs };
}

/** Empty where the request has not asked for them. */
export function logprobsOf(pieces: readonly string[], turn: ResponseTurn): JsonObject[] {
  return openaiLogprobs(pieces, turn.parts.request.asked.logprobs);
}
