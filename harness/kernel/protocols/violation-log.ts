import type { StreamingProtocol } from '../core/index.ts';
import { protocolOfEvent } from './event-protocol.ts';
import { eventInWords, type StreamEvent, type Violation } from './grammar.ts';

/** Rule of every grammar: no event of another protocol's stream. */
export type CommonRule = 'no-foreign-events';

/** A log that takes violations of these rules, and perhaps of others. */
export interface LogOf<Rule extends string> {
  violate(rule: Rule, index: number, expected: string, actual: string): void;
  suppress(rules: readonly Rule[], reason: string): void;
}

/** Collects violations of a grammar's rules: the first of each, with its neighbours. */
export class ViolationLog<Rule extends string> implements LogOf<Rule> {
  readonly #events: readonly StreamEvent[];
  readonly #first = new Map<string, Violation<Rule | CommonRule>>();
  readonly #unjudged = new Map<string, string>();

  constructor(events: readonly StreamEvent[]) {
    this.#events = events;
  }

  /** @param index index of the event, or the number of events if something is missing at the end */
  violate(rule: Rule | CommonRule, index: number, expected: string, actual: string): void {
    if (this.#first.has(rule)) return;
    const neighbours: string[] = [];
    for (let i = Math.max(0, index - 1); i <= index + 1; i++) {
      const event = this.#events[i];
      if (event !== undefined) neighbours.push(`${i}: ${eventInWords(event)}`);
    }
    this.#first.set(rule, { rule, index, expected, actual, neighbours });
  }

  /**
   * True for an event of another protocol's stream. Records the violation.
   *
   * @param expected description of the expected event
   */
  isForeign(index: number, own: StreamingProtocol, expected: string): boolean {
    const event = this.#events[index];
    const protocol = event === undefined ? null : protocolOfEvent(event);
    if (protocol === null || protocol === own) return false;
    this.violate('no-foreign-events', index, `${expected} only`, `an event of ${protocol}`);
    return true;
  }

  isBroken(rule: Rule | CommonRule): boolean {
    return this.#first.has(rule);
  }

  /** Withdraws the judgement on rules that another defect makes impossible to judge. */
  suppress(rules: readonly Rule[], reason: string): void {
    for (const rule of rules) if (!this.#first.has(rule)) this.#unjudged.set(rule, reason);
  }

  get unjudged(): ReadonlyMap<string, string> {
    return this.#unjudged;
  }

  violations(): readonly Violation<Rule | CommonRule>[] {
    return [...this.#first.values()].sort((a, b) => a.index - b.index);
  }
}
