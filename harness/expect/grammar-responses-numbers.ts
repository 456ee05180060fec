import type { Docket } from './grammar.ts';
import { type JsonObject, numberAt } from './json-value.ts';

/** The part of the Responses grammar that follows `sequence_number`. */
export class SequenceNumbers {
  readonly seen: number[] = [];
  readonly #docket: Docket;
  #highest: number;
  #gap: { index: number; expected: number; actual: number } | null = null;
  /** Some event that must have a number has none. */
  #unnumbered = false;

  /** @param resumedAfter the number after which a recovered tail begins; null for a whole stream */
  constructor(docket: Docket, resumedAfter: number | null) {
    this.#docket = docket;
    this.#highest = resumedAfter ?? -1;
  }

  read(index: number, body: JsonObject, type: string | undefined): void {
    const number = numberAt(body, 'sequence_number');
    if (number === null || !Number.isInteger(number)) {
      this.#unnumbered ||= type !== 'error' && type?.startsWith('response.') === true;
      return;
    }
    if (number <= this.#highest) {
      const expected = `a sequence_number above ${this.#highest}`;
      const actual = `${number}${type === undefined ? '' : ` on ${type}`}`;
      this.#docket.broke('sequence-increases', index, expected, actual);
    } else if (number !== this.#highest + 1) {
      this.#gap ??= { index, expected: this.#highest + 1, actual: number };
    }
    this.#highest = Math.max(this.#highest, number);
    this.seen.push(number);
  }

  /** A number that is out of order also leaves a gap: that is told once, as the worse. */
  finish(): void {
    if (this.#unnumbered) {
      const reason = 'an event has no sequence_number';
      this.#docket.cannotJudge(['sequence-from-zero', 'sequence-increases'], reason);
      return;
    }
    const gap = this.#gap;
    if (gap === null || this.#docket.isBroken('sequence-increases')) return;
    const expected = `sequence_number ${gap.expected}`;
    this.#docket.broke('sequence-from-zero', gap.index, expected, `sequence_number ${gap.actual}`);
  }
}
