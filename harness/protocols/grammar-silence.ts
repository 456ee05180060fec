import { at, isObject, listAt, numberAt, textAt } from '../core/json-value.ts';
import type { EventStream, ViolationLog } from './grammar.ts';

/** Tokens that a gateway may count for an answer without a word: how it begins and ends. */
const tokensOfNothing = 4;

/** A model may end its answer of its own accord without a word, and a gateway may lose all of them. */
const nothingSaid =
  'the answer has no text: the model said nothing, or it was lost; a model that says the same each time (`deterministic: true`) would show it';

/**
 * Judges an answer without text that ended of its own accord, where its text is not known.
 *
 * @param tokens that the usage counts as said, without thoughts; null where it does not tell
 */
export function judgeSilence(log: ViolationLog, index: number, tokens: number | null): void {
  if (tokens === null || tokens <= tokensOfNothing) {
    log.suppress(['deltas-join-to-text'], nothingSaid);
    return;
  }
  const expected = `the text of the ${tokens} output tokens that the usage counts`;
  log.violate('deltas-join-to-text', index, expected, 'none');
}

/** What the usage of a Chat Completions stream counts as said; null where it may count thoughts. */
export function tokensOfChunks({ events }: EventStream, usage: unknown): number | null {
  const deltas = events.flatMap(({ json }) =>
    listAt(json, 'choices').map((choice) => at(choice, 'delta')),
  );
  if (deltas.some(hasMoreThanText)) return null;
  const all = numberAt(usage, 'completion_tokens');
  const thoughts = numberAt(usage, 'completion_tokens_details.reasoning_tokens') ?? 0;
  return all === null ? null : all - thoughts;
}

/** What the usage of a Messages stream counts as said; null where there are other blocks than text. */
export function tokensOfBlocks({ events }: EventStream): number | null {
  const kinds = events.map(({ json }) => textAt(json, 'content_block.type'));
  if (kinds.some((kind) => kind !== null && kind !== 'text')) return null;
  return events.reduce<number | null>(
    (last, { json }) => numberAt(json, 'usage.output_tokens') ?? last,
    null,
  );
}

/** Gateways have members of their own for thoughts. */
function hasMoreThanText(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  const known = ['role', 'content', 'refusal'];
  return Object.entries(delta).some(([name, value]) => value !== null && !known.includes(name));
}
