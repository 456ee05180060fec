import { shown } from '../core/index.ts';
import type { LogOf } from './violation-log.ts';

/**
 * Detects cumulative text in a stream: events that repeat the whole text and extend it, instead of fragments. A
 * model's words may repeat the earlier text now and then, but not all of them.
 */
export class Fragments {
  #before = '';
  #repeats = 0;
  #firstAt = 0;
  #goesOn = false;

  /** @param index index of the event with the fragment */
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

interface JoinedText {
  readonly text: string;
  /** The expected text. Undefined if it is unknown. */
  readonly known: string | undefined;
  /** True if the stream has no other content either. */
  readonly isSilent: boolean;
  /** Returns the tokens of visible text in the usage, without reasoning. Null if the usage does not tell. */
  tokens(): number | null;
}

/** Maximum number of tokens that a gateway may count for an empty answer, for its start and end. */
const tokensOfNothing = 4;

/** Reason for an undecided check: a model may end its answer without text, and a gateway may lose all of it. */
const nothingSaid =
  'the answer has no text: the model said nothing, or it was lost; a model that says the same each time (`deterministic: true`) would show it';

const nothingCounted = 'the answer has no text, and the usage counts none';

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
