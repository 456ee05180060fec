import type { Script } from './script.ts';
import type { Player } from './scripted.ts';

/** Reads the text of a script. Throws, with all that is wrong and where. */
export type ScriptReader = (text: string) => {
  readonly script: Script;
  /** Warnings about parts that are valid, but surely not intended. */
  readonly warnings: readonly string[];
};

/** Accepts scripts at run time, so that tests in any language can set a script each. */
export class ScriptDoor {
  readonly #player: Player;
  readonly #read: ScriptReader;

  constructor(player: Player, read: ScriptReader) {
    this.#player = player;
    this.#read = read;
  }

  /** Plays it from now on. @throws {Error} with what is wrong with it, and where */
  put(text: string): { readonly rules: number; readonly warnings: readonly string[] } {
    const { script, warnings } = this.#read(text);
    this.#player.playInstead(script);
    return { rules: script.rules.length, warnings };
  }

  /** Plays again what was there before. */
  remove(): void {
    this.#player.playUsual();
  }
}
