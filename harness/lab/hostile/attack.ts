import type { Draws } from './chance.ts';
import type { RawWire, Sound } from './wire.ts';

/** Something that a hostile gateway does in the place of a sound answer, or of an opened WebSocket. */
export interface Attack {
  readonly id: string;
  readonly what: string;
  /** What it can be done to; an `upgrade` is the request for a WebSocket. */
  readonly to: 'any' | 'json' | 'stream' | 'upgrade';
  /** It never ends by itself, so each answer takes as long as the time-out. */
  readonly endless?: true;
  readonly spoil: (wire: RawWire, sound: Sound, draws: Draws) => Promise<void>;
}
