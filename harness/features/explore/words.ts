import { formatId } from '../../kernel/core/index.ts';
import { shownWords } from '../../kernel/drawn/index.ts';
import { wordsOf } from './conversation.ts';
import type { Sent } from './perform.ts';
import { against, type Violation } from './violation.ts';

/** Maximum number of remembered words, and of remembered ids. */
const most = 100_000;
/** Maximum number of retained answers with a word of an unknown sender; few of these words come from histories. */
const mostUnclaimed = 300;

/**
 * Records which conversation sent each word, over all histories of an exploration. No answer may show a word of
 * another conversation, and no response may have the id of another. Histories may be concurrent and judged in any
 * order. A word that an answer shows before its sender's history is judged is examined with that history.
 */
export class KnownWords {
  readonly #said: Kept<string>;
  /** Answers with words that no judged history has sent. */
  readonly #unclaimed: Kept<Sent>;
  readonly #ids: Kept<string>;

  constructor(bound = most) {
    this.#said = new Kept(bound);
    this.#unclaimed = new Kept(Math.min(bound, mostUnclaimed));
    this.#ids = new Kept(bound);
  }

  violationsIn(sent: ReadonlyMap<number, Sent>): readonly Violation[] {
    const own = new Map(
      [...sent.values()].flatMap(({ words, act }) => words.map((word) => [word, act.n] as const)),
    );
    const violations = [...sent.values()].flatMap((one) => [
      ...this.#strangeIn(one, own, sent),
      ...this.#idTwice(one),
    ]);
    for (const { words, exchange, act } of sent.values()) {
      for (const word of words) {
        const shown = this.#unclaimed.take(word);
        if (shown !== undefined) {
          violations.push(strange(act.n, shown, word, `act ${act.n} of another history has sent`));
        }
        this.#said.add(word, formatId(exchange.id));
      }
    }
    return violations;
  }

  #strangeIn(
    one: Sent,
    own: ReadonlyMap<string, number>,
    sent: ReadonlyMap<number, Sent>,
  ): readonly Violation[] {
    let allowed: ReadonlySet<string> | undefined;
    const violations: Violation[] = [];
    // The ledger belongs to the operator and is shown to no user.
    const shown = one.act.kind === 'ledger' ? [] : shownWords(one.exchange);
    for (const word of shown) {
      const sender = own.get(word);
      allowed ??= new Set([...wordsOf(one.act, sent), ...one.words]);
      if (allowed.has(word)) continue;
      const earlier = this.#said.get(word);
      if (sender !== undefined) {
        violations.push(strange(one.act.n, one, word, `act ${sender} has sent`));
      } else if (earlier !== undefined) {
        violations.push(strange(one.act.n, one, word, `${earlier} has sent, in another history`));
      } else {
        this.#unclaimed.add(word, one);
      }
    }
    // A single violation is enough evidence.
    return violations.slice(0, 1);
  }

  #idTwice({ act, id, exchange }: Sent): readonly Violation[] {
    if (id === null) return [];
    const earlier = this.#ids.get(id);
    const own = formatId(exchange.id);
    this.#ids.add(id, own);
    if (earlier === undefined || earlier === own) return [];
    const shown = { n: act.n, exchange, expected: 'an id that no other response has' };
    return [
      against('generation/responses.id-unique', { ...shown, actual: `${id}, as ${earlier} got` }),
    ];
  }
}

function strange(n: number, { exchange }: Sent, word: string, whose: string): Violation {
  const { protocol } = exchange.about;
  const expected = 'no word of another conversation';
  const row = `everywhere/content.own-words-only:${protocol === 'probe' ? 'responses' : protocol}`;
  return against(row, { n, exchange, expected, actual: `“${word}”, which ${whose}` });
}

class Kept<Value> {
  readonly #bound: number;
  readonly #values = new Map<string, Value>();

  constructor(bound: number) {
    this.#bound = bound;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  take(key: string): Value | undefined {
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }

  add(key: string, value: Value): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#bound && oldest !== undefined) this.#values.delete(oldest);
  }
}
