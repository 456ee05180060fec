import { loadCatalogue } from '../../core/catalogue.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Fault } from '../faults/fault.ts';
import { type Condition, conditionsOn, holds, nameOf, type Point } from './condition.ts';

/** A point at which it would show that a decision is wrong. */
export interface Shown<P extends Point> {
  readonly at: P;
  /** What is broken there: clauses of the specification, or rows and areas of the catalogue. */
  readonly breaks: readonly string[];
}

/** A decision of the reference gateway, and one way in which it can be wrong. */
export interface Decision<P extends Point = Point> {
  /** The name of the decision in the gateway, and the direction where it has two. */
  readonly id: string;
  /** What the gateway does, in a sentence without its end. */
  readonly what: string;
  readonly shown: readonly Shown<P>[];
  /** @param fits where the decision is wrong */
  override(fits: (point: P) => boolean): Defect['override'];
}

/** A fault that was planted by rule: one decision, wrong at the points of one condition. */
export interface GeneratedFault extends Fault {
  readonly decision: string;
  readonly condition: Condition;
}

/** A decision with its points out of sight: all that is needed to plant it wrong. */
export interface Plantable {
  readonly id: string;
  /** Every corner in which it can be wrong. */
  readonly conditions: readonly Condition[];
  /** Wrong at the points of a condition. @throws {Error} where there is no such point */
  planted(condition: Condition): GeneratedFault;
}

/** What can be planted of a decision. */
export function plantable<P extends Point>(decision: Decision<P>): Plantable {
  const { id, what, shown } = decision;
  return {
    id,
    conditions: conditionsOn(shown.map(({ at }) => at)),
    planted(condition) {
      const met = shown.filter(({ at }) => holds(condition, at));
      if (met.length === 0) throw new Error(`${id} is nowhere where ${nameOf(condition)}`);
      const where = condition.map(([axis, value]) => `${axis} is ${value}`).join(' and ');
      return {
        id: `generated/${id}+${nameOf(condition)}`,
        what: `${what} where ${where}.`,
        decision: id,
        condition,
        get breaks() {
          return rowsFor(new Set(met.flatMap(({ breaks }) => breaks)));
        },
        override: decision.override((point) => holds(condition, point)),
      };
    },
  };
}

/** The rows that rest on these clauses; a row or an area stands for itself. */
function rowsFor(names: ReadonlySet<string>): readonly string[] {
  const isClause = (name: string): boolean => /^[A-Z]/.test(name);
  const clauses = [...names].filter(isClause);
  const rows = clauses.flatMap((clause) => {
    const resting = rowsOn().get(clause);
    if (resting === undefined) throw new Error(`No row with a check rests on ${clause}`);
    return resting;
  });
  return [...new Set([...rows, ...[...names].filter((name) => !isClause(name))])];
}

let byClause: ReadonlyMap<string, readonly string[]> | undefined;

function rowsOn(): ReadonlyMap<string, readonly string[]> {
  if (byClause === undefined) {
    const rows = new Map<string, string[]>();
    for (const { id, level, unchecked, basis } of loadCatalogue().requirements) {
      if (unchecked !== null || level === 'MAY') continue;
      for (const { id: clause } of basis.citations) {
        rows.set(clause, [...(rows.get(clause) ?? []), id]);
      }
    }
    byClause = rows;
  }
  return byClause;
}
