import type { Draws } from './chance.ts';
import type { RawWire, Sound } from './wire.ts';

/** Something that a hostile gateway does in the place of a sound answer, or of an opened WebSocket. */
export interface Attack {
  readonly id: string;
  readonly what: string;
  /** Kind of answer that it can spoil; an `upgrade` is the request for a WebSocket. */
  readonly to: 'any' | 'json' | 'stream' | 'upgrade';
  /** True if the attack never ends by itself, so that each answer takes as long as the timeout. */
  readonly endless?: true;
  readonly spoil: (wire: RawWire, sound: Sound, draws: Draws) => Promise<void>;
}
