import type { Draws } from './chance.ts';
import { answerWith, type RawWire, type Sound } from './wire.ts';

/** Something that a hostile gateway does in the place of a sound answer, or of an opened WebSocket. */
export interface Attack {
  readonly id: string;
  /** Kind of answer that it can spoil; an `upgrade` is the request for a WebSocket. */
  readonly to: 'any' | 'json' | 'stream' | 'upgrade';
  /** True if the attack never ends by itself, so that each answer takes as long as the timeout. */
  readonly endless?: true;
  /** Memory limit of a whole run in which it spoils every answer. Default: it spoils some of a hundred answers. */
  readonly wholeRunMegabytes?: number;
  readonly spoil: (wire: RawWire, sound: Sound, draws: Draws) => Promise<void>;
}

type RawBytes = string | Buffer;

/** Makes the attacks of a family, on one kind of answer. */
export function family(name: string, to: Attack['to']) {
  const attack = (id: string, spoil: Attack['spoil']): Attack => ({
    id: `${name}/${id}`,
    to,
    spoil,
  });
  /** A beginning, and then something that never ends. */
  const begun = (
    id: string,
    begin: (sound: Sound) => RawBytes,
    go: (wire: RawWire) => Promise<void>,
  ): Attack => ({
    ...attack(id, async (wire, sound) => {
      await wire.write(begin(sound));
      await go(wire);
    }),
    endless: true,
  });
  return {
    attack,
    /** The answer with another body. */
    changed: (id: string, change: (text: string, sound: Sound) => RawBytes, ...more: string[]) =>
      attack(id, (wire, sound) =>
        answerWith(wire, sound, change(sound.body.toString(), sound), more),
      ),
    /** RawBytes in the place of the answer, and the end of the connection. */
    bytes: (id: string, made: (sound: Sound) => readonly RawBytes[]) =>
      attack(id, async (wire, sound) => {
        await wire.write(Buffer.concat(made(sound).map((bytes) => Buffer.from(bytes))));
        wire.end();
      }),
    begun,
    /** A beginning, and then the same for ever. */
    pour: (id: string, begin: (sound: Sound) => RawBytes, piece: RawBytes) =>
      begun(id, begin, (wire) => wire.forEver(piece)),
  };
}
