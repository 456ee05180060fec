import { calledName, type Generation, type Output } from '../engine.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';

/** What the message and its `message_start` have in common. */
export interface MessageHead {
  readonly id: string;
  readonly model: string;
  /** Id of the `tool_use` block, should there be one. */
  readonly toolUseId: string;
}

/** The `message` object, finished. */
export function message(head: MessageHead, generation: Generation): JsonObject {
  const { call, calls, pieces } = generation;
  const text = { type: 'text', text: pieces.join('') };
  const blocks: readonly JsonObject[] =
    call === null
      ? [text]
      : calls.map((args, n) =>
          toolUse(head, calledName(generation, n), n, argumentsOf(args.join(''))),
        );
  return {
    ...opened(head, generation.inputTokens),
    content: pieces.length === 0 ? [] : blocks,
    stop_reason: stopReason(generation),
    stop_sequence: generation.stopped,
    usage: usage(generation.inputTokens, generation.thoughts + generation.pieces.length),
  };
}

/** The message as it stands in `message_start`: nothing written, no reason to stop. */
export function opened({ id, model }: MessageHead, inputTokens: number): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage(inputTokens, 0),
  };
}

/** @param n its place among the calls of the message */
export function toolUse(
  { toolUseId }: MessageHead,
  name: string,
  n: number,
  input: JsonObject,
): JsonObject {
  return { type: 'tool_use', id: n === 0 ? toolUseId : `${toolUseId}_${n}`, name, input };
}

export function stopReason({ call, finish, stopped }: Output): string {
  if (finish === 'length') return 'max_tokens';
  if (stopped !== null) return 'stop_sequence';
  return call === null ? 'end_turn' : 'tool_use';
}

export function usage(inputTokens: number, outputTokens: number): JsonObject {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

/** Arguments that were cut at the limit are no JSON: nothing of them can be handed over. */
function argumentsOf(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return objectOrEmpty(value);
  } catch {
    return {};
  }
}
