import { actsOf, type History } from './history.ts';
import type { Sent } from './perform.ts';
import { sameKind, type Violation } from './violation.ts';

/** A history that was performed and judged. */
export interface Performed {
  /** Of its scenario: the keys of its exchanges begin with it. */
  readonly name: string;
  /** Counted from one. A try to shorten a history has the number of that. */
  readonly number: number;
  /** It was drawn, and is no try to shorten another. */
  readonly drawn: boolean;
  readonly history: History;
  readonly sent: ReadonlyMap<number, Sent>;
  readonly violations: readonly Violation[];
}

/** What was found, in the shortest history that has shown it. */
export interface Find {
  violation: Violation;
  history: History;
  sent: ReadonlyMap<number, Sent>;
  /** The history that has shown it first, and how many acts it had. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** How many of the drawn histories have shown it. */
  times: number;
}

/** What a history was good for. */
export interface Added {
  /** What nothing had shown before. */
  readonly found: readonly Find[];
  /** It shows something for the first time, or shorter than any before. */
  readonly matters: boolean;
}

/** Adds what a history has shown to what was found: the same rule while exploring and of a recording. */
export function addFinds(finds: Find[], performed: Performed): Added {
  const { number, drawn, history, sent, violations } = performed;
  const found: Find[] = [];
  let matters = false;
  for (const [index, violation] of violations.entries()) {
    if (violations.findIndex((one) => sameKind(one, violation)) < index) continue;
    const known = finds.find((find) => sameKind(find.violation, violation));
    const shown = { violation, history, sent };
    if (known === undefined) {
      const foundActs = actsOf(history).length;
      const find = { ...shown, foundIn: number, foundActs, times: drawn ? 1 : 0 };
      matters = true;
      found.push(find);
      finds.push(find);
      continue;
    }
    if (drawn) known.times++;
    // Of those that are as long, a try to shorten is the simpler one.
    const [before, now] = [actsOf(known.history).length, actsOf(history).length];
    if (now < before || (now === before && !drawn)) {
      Object.assign(known, shown);
      matters = true;
    }
  }
  return { found, matters };
}
