import { callsIn, type Output, piecesOfKind } from '../blocks.ts';
import { allPieces, type Generation, outputsOf, thoughtTokens } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import { openaiLogprobs } from '../logprobs.ts';

/** Members common to the answer and all of its chunks. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  /** Id of the function call, if the model makes one. */
  readonly callId: string;
  /** Number of likely tokens to list at each position; null for no log probabilities. */
  readonly logprobs: number | null;
}

/** Constant fingerprint of the gateway's software. */
export const fingerprint = 'fp_touchstone';

/** Returns the `chat.completion` object. */
export function completion(head: CompletionHead, generation: Generation): JsonObject {
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: outputsOf(generation).map((output, index) => ({
      index,
      message: message(head, output, index),
      logprobs: hasText(output) ? logprobs(head, piecesOfKind(output, 'text')) : null,
      finish_reason: finishReason(output),
    })),
    usage: usage(generation, generation.thoughts + allPieces(generation).length),
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

function message(head: CompletionHead, output: Output, choice: number): JsonObject {
  const content = hasText(output) ? piecesOfKind(output, 'text').join('') : null;
  const calls = callsIn(output);
  if (calls.length === 0) return { role: 'assistant', refusal: null, annotations: [], content };
  return {
    role: 'assistant',
    refusal: null,
    annotations: [],
    content,
    tool_calls: calls.map(({ name, pieces }, n) => ({
      id: callId(head, choice, n),
      type: 'function',
      function: { name, arguments: pieces.join('') },
    })),
  };
}

/** True if a choice has content, even if empty. A choice with only calls has none. */
export function hasText(output: Output): boolean {
  return callsIn(output).length === 0 || output.blocks.some(({ kind }) => kind === 'text');
}

/** Returns the log probabilities of a text's tokens; null if the request asks for none. */
export function logprobs(head: CompletionHead, pieces: readonly string[]): JsonObject | null {
  if (head.logprobs === null) return null;
  return { content: openaiLogprobs(pieces, head.logprobs), refusal: null };
}

/** Returns the id of a call of a choice. The first call of the first choice has the id of the head. */
export function callId(head: CompletionHead, choice: number, n: number): string {
  return choice === 0 && n === 0 ? head.callId : `${head.callId}_${choice}_${n}`;
}

export function finishReason(output: Output): string {
  if (output.finish === 'length') return 'length';
  if (output.finish === 'filtered') return 'content_filter';
  return callsIn(output).length === 0 ? 'stop' : 'tool_calls';
}

/** Returns the usage. The count of reasoning tokens is the only trace of a thought in this protocol. */
export function usage(generation: Generation, completionTokens: number): JsonObject {
  const { inputTokens: promptTokens, cached } = generation;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached.read, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: thoughtTokens(generation),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
