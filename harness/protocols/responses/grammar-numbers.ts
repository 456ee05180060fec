import { isInteger, type JsonObject } from '../../core/json-value.ts';
import type { ViolationLog } from '../grammar.ts';

/** The part of the Responses grammar that follows `sequence_number`. */
export class SequenceNumbers {
  readonly seen: number[] = [];
  readonly #log: ViolationLog;
  #highest: number;
  #gap: { index: number; expected: string; actual: string } | null = null;
  /** Why a number is missing that an event has, or must have. */
  #missing: string | null = null;

  /** @param resumedAfter the number after which a recovered tail begins; null for a whole stream */
  constructor(log: ViolationLog, resumedAfter: number | null) {
    this.#log = log;
    this.#highest = resumedAfter ?? -1;
  }

  read(index: number, body: JsonObject, type: string | undefined): void {
    const number = body.sequence_number;
    if (!isInteger(number)) {
      // An error needs none, nor what belongs to no response.
      if (type?.startsWith('response.')) this.#missing ??= 'an event has no sequence_number';
      return;
    }
    if (number <= this.#highest) {
      const expected = `a sequence_number above ${this.#highest}`;
      const actual = `${number}${type === undefined ? '' : ` on ${type}`}`;
      this.#log.violate('sequence-increases', index, expected, actual);
    } else if (number !== this.#highest + 1) {
      const expected = `sequence_number ${this.#highest + 1}`;
      this.#gap ??= { index, expected, actual: `sequence_number ${number}` };
    }
    this.#highest = Math.max(this.#highest, number);
    this.seen.push(number);
  }

  /** An event cannot be read, and whether it had a number. */
  lose(index: number): void {
    this.#missing ??= `event ${index} cannot be read`;
  }

  /** A number that is out of order also leaves a gap: that is told once, as the worse. */
  finish(): void {
    if (this.#missing !== null) {
      this.#log.suppress(['sequence-from-zero', 'sequence-increases'], this.#missing);
      return;
    }
    const gap = this.#gap;
    if (gap === null || this.#log.isBroken('sequence-increases')) return;
    this.#log.violate('sequence-from-zero', gap.index, gap.expected, gap.actual);
  }
}
