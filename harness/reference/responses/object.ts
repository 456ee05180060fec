import { type Block, isHidden, silence } from '../blocks.ts';
import { type Generation, thoughtTokens } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import { openaiLogprobs } from '../logprobs.ts';
import { Written } from '../prepared.ts';
import { isFinal, type Progress } from './progress.ts';
import type { BlockIds, TurnState } from './turn-state.ts';

export function responseAt(turn: TurnState, as: Progress): Written {
  const { echo } = turn.parts.request;
  return new Written(
    () => ({ ...headAt(turn, as), ...echo.data, usage: usageAt(turn, as) }),
    () => {
      const head = JSON.stringify(headAt(turn, as)).slice(0, -1);
      return `${head},${echo.members},"usage":${JSON.stringify(usageAt(turn, as))}}`;
    },
  );
}

/** Returns the members before the repeated ones. */
function headAt(turn: TurnState, as: Progress): JsonObject {
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
    incomplete_details: status === 'incomplete' ? { reason: whyIncomplete(turn) } : null,
    instructions: request.instructions,
    model: request.model.id,
    output: as.isOpen ? outputItems(turn, as) : [],
    previous_response_id: request.previousResponseId,
    store: request.store,
  };
}

function whyIncomplete({ parts }: TurnState): string {
  return parts.generation.finish === 'filtered' ? 'content_filter' : 'max_output_tokens';
}

/** Returns the member after the repeated ones. */
function usageAt({ parts, run }: TurnState, { status }: Progress): JsonObject | null {
  return isFinal(status) ? usage(parts.generation, run.outputTokens) : null;
}

export function usage(generation: Generation, output: number): JsonObject {
  const { inputTokens: input, cached } = generation;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached.read, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.min(thoughtTokens(generation), output) },
    total_tokens: input + output,
  };
}

/** Returns the output of a turn so far: one item for each block. */
export function outputItems(turn: TurnState, as: Progress): readonly JsonObject[] {
  return turn.parts.generation.blocks.flatMap((_, n) =>
    n === 0 || startOf(turn, n) < as.written ? [outputItem(turn, n, as)] : [],
  );
}

/** Returns an item of a turn, as far as it is written. @param n index of the block */
export function outputItem(turn: TurnState, n: number, as: Progress): JsonObject {
  const block = blockAt(turn, n);
  const { item: id, call: call_id } = idsAt(turn, n);
  const pieces = written(turn, n, as);
  const text = pieces.join('');
  const status = as.written > startOf(turn, n + 1) ? 'completed' : itemStatus(as);
  switch (block.kind) {
    case 'thought': {
      const summary = text === '' || isHidden(block) ? [] : [summaryText(text)];
      if (!turn.parts.request.sealsThoughts) return { id, type: 'reasoning', summary };
      const sealed = status === 'completed' ? Buffer.from(text).toString('base64') : null;
      return { id, type: 'reasoning', summary, encrypted_content: sealed };
    }
    case 'text': {
      const content = [outputText(pieces, turn)];
      return { id, type: 'message', status, role: 'assistant', content };
    }
    case 'call':
      return { id, type: 'function_call', status, arguments: text, call_id, name: block.name };
  }
}

export function blockAt({ parts }: TurnState, n: number): Block {
  return parts.generation.blocks[n] ?? silence;
}

/** Returns the ids of a block's item, and of its call if it is one. */
export function idsAt({ parts }: TurnState, n: number): BlockIds {
  return parts.ids[n] ?? { item: '', call: '' };
}

/** Returns the index of a block's first piece. */
function startOf({ parts: { generation } }: TurnState, n: number): number {
  return generation.blocks.slice(0, n).reduce((start, { pieces }) => start + pieces.length, 0);
}

/** Returns the pieces of a block so far. */
export function written(turn: TurnState, n: number, as: Progress): readonly string[] {
  const { entries } = turn.run.pieces;
  const start = startOf(turn, n);
  const end = Math.min(as.written, start + blockAt(turn, n).pieces.length);
  return start === 0 && end === entries.length ? entries : entries.slice(start, end);
}

function itemStatus({ status }: Progress): string {
  return status === 'completed' || status === 'in_progress' ? status : 'incomplete';
}

export function summaryText(text: string): JsonObject {
  return { type: 'summary_text', text };
}

export function outputText(pieces: readonly string[], turn: TurnState): JsonObject {
  const logprobs = logprobsOf(pieces, turn);
  return { type: 'output_text', text: pieces.join(''), annotations: [], logprobs };
}

/** Returns the log probabilities; empty if the request asks for none. */
export function logprobsOf(pieces: readonly string[], turn: TurnState): JsonObject[] {
  return openaiLogprobs(pieces, turn.parts.request.asked.logprobs);
}
