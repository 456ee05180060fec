import type { BrokenHit, Hit } from './finder.ts';
import { decoded, type Maskable } from './maskable.ts';

/** Maximum number of decoded layers. JSON within a JSON string of a stream within a log has three. */
const mostLayers = 3;

export interface Seeker {
  /** @param words true to include secrets that may be words */
  hits(bytes: Uint8Array, words?: boolean): readonly Hit[];
  /** Finds secrets that line ends or marks split into parts. */
  broken?(bytes: Uint8Array): readonly BrokenHit[];
  /** Finds strings shaped like keys. They are masked last, and have no name to report an echo by. */
  shapes?(bytes: Uint8Array): readonly Hit[];
}

/**
 * Masks what a finder matches, in a text and in all layers encoded in it.
 *
 * @param words true to include secrets that may be words
 */
export function maskEncoded(
  text: Maskable,
  finder: Seeker,
  found?: Set<string>,
  words = true,
): void {
  const layers: Maskable[] = [];
  for (let layer: Maskable | null = text; layer !== null; ) {
    layers.push(layer);
    for (const { from, to, name } of finder.hits(layer.bytes, words)) {
      // A match within an already masked longer secret is no separate echo.
      if (layer.mask(from, to)) found?.add(name);
    }
    layer = layers.length <= mostLayers ? decoded(layer) : null;
  }
  // Innermost layer first: masking it also masks all outer layers, but not vice versa.
  for (const layer of layers.reverse()) {
    for (const { name, places } of finder.broken?.(layer.bytes) ?? []) {
      let isNew = false;
      // Line ends and marks within a secret stay, because they structure the text around it.
      for (const at of places) if (layer.mask(at, at + 1)) isNew = true;
      if (isNew) found?.add(name);
    }
    for (const { from, to } of finder.shapes?.(layer.bytes) ?? []) layer.mask(from, to);
  }
}
