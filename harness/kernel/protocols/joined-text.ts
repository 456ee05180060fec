import { shown } from '../core/index.ts';
import type { LogOf } from './violation-log.ts';

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

  judge(log: LogOf<'no-repeated-text'>): void {
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

/** The text that the fragments of a stream have come to. */
interface JoinedText {
  readonly text: string;
  /** The text that it must be; undefined where nobody knows. */
  readonly known: string | undefined;
  /** Nothing else was said either. */
  readonly isSilent: boolean;
  /**
   * Returns the tokens of visible text, without thoughts, that the usage counts; null if it does not tell.
   */
  tokens(): number | null;
}

/** Tokens that a gateway may count for an answer without a word: how it begins and ends. */
const tokensOfNothing = 4;

/** A model may end its answer of its own accord without a word, and a gateway may lose all of them. */
const nothingSaid =
  'the answer has no text: the model said nothing, or it was lost; a model that says the same each time (`deterministic: true`) would show it';

const nothingCounted = 'the answer has no text, and the usage counts none';

/** Judges the text of an answer that ended of its own accord. */
export function judgeJoinedText(
  log: LogOf<'deltas-join-to-text'>,
  end: number,
  { text, known, isSilent, tokens }: JoinedText,
): void {
  const rule = 'deltas-join-to-text';
  if (known !== undefined) {
    // A deterministic model may still answer with an empty text.
    if (isSilent && tokens() === 0) log.suppress([rule], nothingCounted);
    else if (text !== known) log.violate(rule, end, shown(known), shown(text));
    return;
  }
  if (!isSilent) return;
  const said = tokens();
  if (said === null || said <= tokensOfNothing) {
    log.suppress([rule], nothingSaid);
  } else {
    log.violate(rule, end, `the text of the ${said} output tokens that the usage counts`, 'none');
  }
}
