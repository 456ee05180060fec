import { allPieces, calledName, type Generation, type Output, outputsOf } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import { openaiLogprobs } from '../logprobs.ts';

/** What the answer and every chunk of it have in common. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  /** Id of the function call, should there be one. */
  readonly callId: string;
  /** How many likely tokens are told at each place; null for no log probabilities. */
  readonly logprobs: number | null;
}

/** Of the software that answers: always the same. */
export const fingerprint = 'fp_touchstone';

/** The `chat.completion` object. */
export function completion(head: CompletionHead, generation: Generation): JsonObject {
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: outputsOf(generation).map((output, index) => ({
      index,
      message: message(head, output, index),
      logprobs: output.call === null ? logprobs(head, output.pieces) : null,
      finish_reason: finishReason(output),
    })),
    usage: usage(generation, generation.thoughts + allPieces(generation).length),
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

function message(head: CompletionHead, output: Output, choice: number): JsonObject {
  const { call, calls, pieces } = output;
  const said = { role: 'assistant', refusal: null, annotations: [] };
  if (call === null) return { ...said, content: pieces.join('') };
  return {
    ...said,
    content: null,
    tool_calls: calls.map((args, n) => ({
      id: callId(head, choice, n),
      type: 'function',
      function: { name: calledName(output, n), arguments: args.join('') },
    })),
  };
}

/** Of the tokens of a text. */
export function logprobs(head: CompletionHead, pieces: readonly string[]): JsonObject | null {
  if (head.logprobs === null) return null;
  return { content: openaiLogprobs(pieces, head.logprobs), refusal: null };
}

/** Of one of the calls of a choice. */
export function callId(head: CompletionHead, choice: number, n: number): string {
  return choice === 0 && n === 0 ? head.callId : `${head.callId}_${choice}_${n}`;
}

export function finishReason({ call, finish }: Output): string {
  if (finish === 'length') return 'length';
  return call === null ? 'stop' : 'tool_calls';
}

export function usage(
  { inputTokens: promptTokens, cached }: Generation,
  completionTokens: number,
): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached.read, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
