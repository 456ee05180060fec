import type { ViolationLog } from './grammar.ts';

/**
 * Tells text in fragments from a text that comes anew with each event, longer each time. The words of a
 * model may well begin alike now and then, but not all of them.
 */
export class Fragments {
  #before = '';
  #repeats = 0;
  #firstAt = 0;
  #goesOn = false;

  /** @param index of the event that carries the fragment */
  read(fragment: string, index: number): void {
    if (fragment === '') return;
    const repeats = fragment.length > this.#before.length && fragment.startsWith(this.#before);
    if (this.#before !== '') {
      if (!repeats) this.#goesOn = true;
      else if (this.#repeats++ === 0) this.#firstAt = index;
    }
    this.#before = fragment;
  }

  judge(log: ViolationLog): void {
    if (this.#goesOn || this.#repeats < 2) return;
    const expected = 'a fragment that goes on where the one before ended';
    log.violate(
      'no-repeated-text',
      this.#firstAt,
      expected,
      'the text so far once more, and longer',
    );
  }
}
