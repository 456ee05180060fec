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
    ...opened(head, generation),
    content: pieces.length === 0 ? [] : blocks,
    stop_reason: stopReason(generation),
    stop_sequence: generation.stopped,
    usage: usage(generation, generation.thoughts + generation.pieces.length),
  };
}

/** The message as it stands in `message_start`: nothing written, no reason to stop. */
export function opened({ id, model }: MessageHead, generation: Generation): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: usage(generation, 0),
  };
}

/** @param n its place among the calls of the message */
export function toolUse(
  { toolUseId }: MessageHead,
  name: string,
  n: number,
  input: JsonObject,
): JsonObject {
  return {
    type: 'tool_use',
    id: n === 0 ? toolUseId : `${toolUseId}_${n}`,
    name,
    input,
    caller: { type: 'direct' },
  };
}

export function stopReason({ call, finish, stopped }: Output): string {
  if (finish === 'length') return 'max_tokens';
  if (stopped !== null) return 'stop_sequence';
  return call === null ? 'end_turn' : 'tool_use';
}

/** Natively, what is cached is no part of `input_tokens`. */
export function usage({ inputTokens, cached }: Generation, outputTokens: number): JsonObject {
  return {
    input_tokens: inputTokens - cached.read - cached.written,
    cache_creation: {
      ephemeral_5m_input_tokens: cached.written,
      ephemeral_1h_input_tokens: 0,
    },
    cache_creation_input_tokens: cached.written,
    cache_read_input_tokens: cached.read,
    inference_geo: null,
    output_tokens: outputTokens,
    output_tokens_details: null,
    server_tool_use: null,
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
