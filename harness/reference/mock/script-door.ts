import type { Script } from './script.ts';
import type { Player } from './scripted.ts';

/** Reads the text of a script. Throws an error that lists all problems with their positions. */
export type ScriptReader = (text: string) => {
  readonly script: Script;
  /** Warnings about parts that are valid, but probably not intended. */
  readonly warnings: readonly string[];
};

/** Accepts scripts at run time, so that tests in any language can each set one. */
export class ScriptDoor {
  readonly #player: Player;
  readonly #read: ScriptReader;

  constructor(player: Player, read: ScriptReader) {
    this.#player = player;
    this.#read = read;
  }

  /** Plays the script from now on. @throws {Error} with its problems and their positions */
  put(text: string): { readonly rules: number; readonly warnings: readonly string[] } {
    const { script, warnings } = this.#read(text);
    this.#player.playInstead(script);
    return { rules: script.rules.length, warnings };
  }

  remove(): void {
    this.#player.playUsual();
  }
}
