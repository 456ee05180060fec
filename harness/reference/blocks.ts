/** Part of a model's output, with one token per piece. */
export type Block = Thought | Text | FunctionCall;

interface Thought {
  readonly kind: 'thought';
  /** False if only the presence and the length of the thought are visible. */
  readonly isShown: boolean;
  readonly pieces: readonly string[];
}

interface Text {
  readonly kind: 'text';
  readonly pieces: readonly string[];
}

interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  /** Pieces whose concatenation is the JSON text of the arguments. */
  readonly pieces: readonly string[];
}

export interface Output {
  /** Blocks of the output. Only the text of a model without output may be empty. */
  readonly blocks: readonly Block[];
  /** `length`: truncated at the limit; `filtered`: stopped by a filter. */
  readonly finish: 'stop' | 'length' | 'filtered';
  /** Stop sequence that ended the output; null for a natural end. */
  readonly stopped: string | null;
}

/** Text block of a model without output. */
export const silence: Block = { kind: 'text', pieces: [] };

/** Returns an output of these blocks, truncated at a number of tokens. A block that would become empty is dropped. */
export function outputWith(
  blocks: readonly Block[],
  stopped: string | null,
  limit: number | null,
): Output {
  const [only] = blocks;
  let left = limit ?? Number.POSITIVE_INFINITY;
  const written = only?.pieces.length ?? 0;
  const isWhole = blocks.length === 1 && written > 0 && written <= left;
  if (isWhole) return { blocks, finish: 'stop', stopped };
  let isCut = false;
  const kept = blocks.flatMap((block) => {
    const pieces = block.pieces.length > left ? block.pieces.slice(0, left) : block.pieces;
    left -= pieces.length;
    isCut ||= pieces.length < block.pieces.length;
    return pieces.length === 0 ? [] : [{ ...block, pieces }];
  });
  return {
    blocks: kept.length === 0 ? [silence] : kept,
    finish: isCut ? 'length' : 'stop',
    stopped: isCut ? null : stopped,
  };
}

/** Returns an output with a thought before it. The thought counts towards the limit. */
export function thinkingFirst<T extends Output>(
  output: T,
  pieces: readonly string[],
  limit: number | null,
  isShown = true,
): T {
  const blocks: readonly Block[] = [{ kind: 'thought', isShown, pieces }, ...output.blocks];
  const thought = outputWith(blocks, output.stopped, limit);
  return {
    ...output,
    ...thought,
    finish: thought.finish === 'stop' ? output.finish : thought.finish,
  };
}

/** True if a block shows its presence, but none of its content. */
export function isHidden(block: Block): boolean {
  return block.kind === 'thought' && !block.isShown;
}

export function piecesOf({ blocks }: Pick<Output, 'blocks'>): readonly string[] {
  const [only] = blocks;
  return only !== undefined && blocks.length === 1 ? only.pieces : blocks.flatMap(piecesIn);
}

/** Returns the pieces of all blocks of a kind. */
export function piecesOfKind({ blocks }: Output, wanted: Block['kind']): readonly string[] {
  const [only] = blocks;
  if (only?.kind === wanted && blocks.length === 1) return only.pieces;
  return blocks.filter(({ kind }) => kind === wanted).flatMap(piecesIn);
}

export function callsIn({ blocks }: Output): readonly FunctionCall[] {
  return blocks.filter((block) => block.kind === 'call');
}

function piecesIn({ pieces }: Block): readonly string[] {
  return pieces;
}
