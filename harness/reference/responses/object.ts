import { calledName, type Generation } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import { openaiLogprobs } from '../logprobs.ts';
import { isFinal, type Progress } from './progress.ts';
import type { ResponseTurn } from './turn.ts';

/** The native response object of a turn, as of some moment. */
export function responseObject(turn: ResponseTurn, as: Progress): JsonObject {
  const { id, request } = turn.parts;
  const { status } = as;
  return {
    id,
    object: 'response',
    created_at: turn.createdAt,
    status,
    background: request.background,
    completed_at: status === 'completed' ? turn.completedAt : null,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions,
    model: request.model.id,
    output: as.isOpen ? outputItems(turn, as) : [],
    previous_response_id: request.previousResponseId,
    store: request.store,
    ...request.echo,
    usage: isFinal(status) ? usage(turn.parts.generation, turn.run.outputTokens) : null,
  };
}

export function usage({ inputTokens: input, cached }: Generation, output: number): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached.read, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

/** What the turn has written so far: a message, or calls of a function. */
export function outputItems(turn: ResponseTurn, as: Progress): readonly JsonObject[] {
  const { calls } = turn.parts.generation;
  if (calls.length === 0) return [messageItem(turn, as)];
  return calls.flatMap((_, n) =>
    n === 0 || startOf(turn, n) < as.written ? [callItem(turn, n, as)] : [],
  );
}

/** The message of a turn, as far as it is written. */
export function messageItem(turn: ResponseTurn, as: Progress): JsonObject {
  return {
    id: turn.parts.itemId,
    type: 'message',
    status: itemStatus(as),
    role: 'assistant',
    content: [outputText(written(turn, as), turn)],
  };
}

/** A call of a turn, as far as it is written. @param n its place among the calls */
export function callItem(turn: ResponseTurn, n: number, as: Progress): JsonObject {
  const { callId, generation } = turn.parts;
  const end = startOf(turn, n + 1);
  return {
    id: callItemId(turn, n),
    type: 'function_call',
    status: as.written > end ? 'completed' : itemStatus(as),
    arguments: written(turn, as).slice(startOf(turn, n), end).join(''),
    call_id: n === 0 ? callId : `${callId}_${n}`,
    name: calledName(generation, n),
  };
}

export function callItemId({ parts: { itemId } }: ResponseTurn, n: number): string {
  return n === 0 ? itemId : `${itemId}_${n}`;
}

/** Index of the first piece of a call. */
export function startOf({ parts: { generation } }: ResponseTurn, n: number): number {
  return generation.calls.slice(0, n).flat().length;
}

function written({ run }: ResponseTurn, as: Progress): readonly string[] {
  const { entries } = run.pieces;
  return as.written === entries.length ? entries : entries.slice(0, as.written);
}

function itemStatus({ status }: Progress): string {
  return status === 'completed' || status === 'in_progress' ? status : 'incomplete';
}

export function outputText(pieces: readonly string[], turn: ResponseTurn): JsonObject {
  const logprobs = logprobsOf(pieces, turn);
  return { type: 'output_text', text: pieces.join(''), annotations: [], logprobs };
}

/** Empty where the request has not asked for them. */
export function logprobsOf(pieces: readonly string[], turn: ResponseTurn): JsonObject[] {
  return openaiLogprobs(pieces, turn.parts.request.asked.logprobs);
}
