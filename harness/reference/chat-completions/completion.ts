import type { Generation } from '../engine.ts';
import type { JsonObject } from '../json.ts';

/** What the answer and every chunk of it have in common. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  /** Id of the function call, should there be one. */
  readonly callId: string;
}

/** The `chat.completion` object. */
export function completion(head: CompletionHead, generation: Generation): JsonObject {
  const text = generation.pieces.join('');
  const message: JsonObject =
    generation.call === null
      ? { role: 'assistant', content: text, refusal: null, annotations: [] }
      : {
          role: 'assistant',
          content: null,
          refusal: null,
          annotations: [],
          tool_calls: [
            {
              id: head.callId,
              type: 'function',
              function: { name: generation.call, arguments: text },
            },
          ],
        };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(generation) }],
    usage: usage(generation.inputTokens, generation.pieces.length),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

export function finishReason({ call, finish }: Generation): string {
  if (finish === 'length') return 'length';
  return call === null ? 'stop' : 'tool_calls';
}

export function usage(promptTokens: number, completionTokens: number): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
