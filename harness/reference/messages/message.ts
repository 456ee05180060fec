import { type Block, callsIn, isHidden, type Output } from '../blocks.ts';
import { allPieces, type Generation, thoughtTokens } from '../engine.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';

/** Members common to the message and its `message_start`. */
export interface MessageHead {
  readonly id: string;
  readonly model: string;
  /** Id of the `tool_use` block, if the model makes a call. */
  readonly toolUseId: string;
}

/** Returns the finished `message` object. */
export function message(head: MessageHead, generation: Generation): JsonObject {
  return messageWith(head, {
    content: shownBlocks(generation).map((block, n) => contentBlock(head, block, n)),
    stop_reason: stopReason(generation),
    stop_sequence: generation.stopped,
    usage: usage(generation, generation.thoughts + allPieces(generation).length),
  });
}

/** Returns the blocks with content: an empty output has no block. */
export function shownBlocks({ blocks }: Output): readonly Block[] {
  return blocks.filter(({ pieces }) => pieces.length > 0);
}

/** @param n index of the block in the message */
function contentBlock(head: MessageHead, block: Block, n: number): JsonObject {
  const text = block.pieces.join('');
  if (block.kind === 'call') return toolUse(head, block.name, n, argumentsOf(text));
  if (block.kind === 'text') return { type: 'text', text };
  const thinking = isHidden(block) ? '' : text;
  return { type: 'thinking', thinking, signature: signatureOf(block) };
}

/** Returns the signature that identifies a thought when it is sent back. */
export function signatureOf({ pieces }: Block): string {
  return Buffer.from(pieces.join('')).toString('base64');
}

/** Returns the message in `message_start`: no content, no stop reason. */
export function opened(head: MessageHead, generation: Generation): JsonObject {
  return messageWith(head, {
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage(generation, 0),
  });
}

/** Members that differ between a started and a finished message. */
interface MessageEnd {
  readonly content: readonly JsonObject[];
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly usage: JsonObject;
}

function messageWith({ id, model }: MessageHead, end: MessageEnd): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: end.content,
    stop_reason: end.stop_reason,
    stop_sequence: end.stop_sequence,
    stop_details: null,
    container: null,
    usage: end.usage,
  };
}

/** @param n index of the block in the message */
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

export function stopReason(output: Output): string {
  if (output.finish === 'length') return 'max_tokens';
  if (output.finish === 'filtered') return 'refusal';
  if (output.stopped !== null) return 'stop_sequence';
  return callsIn(output).length === 0 ? 'end_turn' : 'tool_use';
}

/** Returns the usage. In the native API, `input_tokens` excludes cached tokens. */
export function usage(generation: Generation, outputTokens: number): JsonObject {
  const { inputTokens, cached } = generation;
  const thinking_tokens = Math.min(thoughtTokens(generation), outputTokens);
  return {
    input_tokens: inputTokens - cached.read - cached.written,
    cache_creation: { ephemeral_5m_input_tokens: cached.written, ephemeral_1h_input_tokens: 0 },
    cache_creation_input_tokens: cached.written,
    cache_read_input_tokens: cached.read,
    inference_geo: null,
    output_tokens: outputTokens,
    output_tokens_details: thinking_tokens === 0 ? null : { thinking_tokens },
    server_tool_use: null,
    service_tier: 'standard',
  };
}

/** Returns the arguments. Arguments that the limit truncated are not valid JSON, and become an empty object. */
function argumentsOf(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return objectOrEmpty(value);
  } catch {
    return {};
  }
}
