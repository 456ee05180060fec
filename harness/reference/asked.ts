import type { JsonObject } from './json.ts';

export interface Asked {
  /** Stop sequences: the text ends before the first that occurs. */
  readonly stop: readonly string[];
  /** Schema for the JSON text of the output; null for any text. */
  readonly schema: JsonObject | null;
  /** Number of likely tokens to list at each position, with their log probabilities; null for no log probabilities. */
  readonly logprobs: number | null;
  readonly candidates: number;
  /** True if a function may be called several times at once. */
  readonly parallelCalls: boolean;
  /** Thinking before the answer: `shown` if the protocol supports that, or `hidden`; null for none. */
  readonly thinks: 'shown' | 'hidden' | null;
}

export const nothingAsked: Asked = {
  stop: [],
  schema: null,
  logprobs: null,
  candidates: 1,
  parallelCalls: true,
  thinks: null,
};

/** Capabilities that the channel of a model may have in addition to text. */
export type AskedCapability =
  | 'stop'
  | 'structured_output'
  | 'logprobs'
  | 'candidates'
  | 'images'
  | 'tools';

/** Returns the text before the first stop sequence in it, and that stop sequence. */
export function cutAtStop(
  pieces: readonly string[],
  stop: readonly string[],
): { readonly pieces: readonly string[]; readonly stopped: string | null } {
  if (stop.length === 0) return { pieces, stopped: null };
  const text = pieces.join('');
  let end = text.length;
  let stopped: string | null = null;
  for (const sequence of stop) {
    const at = sequence === '' ? -1 : text.indexOf(sequence);
    if (at < 0 || at >= end) continue;
    end = at;
    stopped = sequence;
  }
  if (stopped === null) return { pieces, stopped };
  const kept: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    const part = piece.slice(0, Math.max(0, end - length));
    if (part !== '') kept.push(part);
    length += piece.length;
  }
  return { pieces: kept, stopped };
}
