import type { Finder } from './finder.ts';
import { decoded, type Maskable } from './maskable.ts';

/** So many layers of encoding are taken off: JSON within a JSON string of a stream within a log has three. */
const mostLayers = 3;

/**
 * Masks what a finder seeks, in a text and in whatever is encoded in it.
 *
 * @param words also secrets that may be words
 */
export function maskEncoded(
  text: Maskable,
  finder: Finder,
  found?: Set<string>,
  words = true,
): void {
  let layer: Maskable | null = text;
  for (let taken = 0; layer !== null; taken++) {
    for (const { from, to, name } of finder.hits(layer.bytes, words)) {
      // The beginning of a longer one that was found is no echo of its own.
      if (layer.mask(from, to)) found?.add(name);
    }
    layer = taken < mostLayers ? decoded(layer) : null;
  }
}
