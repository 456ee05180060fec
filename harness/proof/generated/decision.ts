import { loadCatalogue } from '../../kernel/core/index.ts';
import type { Call, Defect } from '../../reference/index.ts';
import type { Fault } from '../faults/fault.ts';
import { type Condition, conditionsOn, holds, nameOf, type Point } from './condition.ts';

export interface Shown<P extends Point> {
  readonly at: P;
  /** Clauses of the specification, or rows and areas of the catalogue, that are violated at this point. */
  readonly breaks: readonly string[];
}

/** A decision of the reference gateway, and one way in which it can be wrong. */
export interface Decision<P extends Point = Point> {
  /** Name of the decision in the gateway, and the direction if it has two. */
  readonly id: string;
  /** Behaviour of the faulty gateway, as the start of a sentence. */
  readonly what: string;
  readonly shown: readonly Shown<P>[];
  /**
   * @param fits decides where the decision is wrong, from the call that the decision is made for
   */
  override(fits: Fits<P>): Defect['override'];
}

/** True if a decision for a call is wrong at a point. */
export type Fits<P extends Point> = (point: P, call: Call) => boolean;

/** A generated fault: one decision that is wrong at the points of one condition. */
export interface GeneratedFault extends Fault {
  readonly decision: string;
  readonly condition: Condition;
  /** True if the decision concerns an existing response. */
  readonly ofStored: boolean;
}

/** A decision without its points: everything needed to plant it wrong. */
export interface Plantable {
  readonly id: string;
  readonly conditions: readonly Condition[];
  /**
   * Returns the decision as wrong at the points of a condition.
   *
   * @throws {Error} without such a point
   */
  planted(condition: Condition): GeneratedFault;
  /** Returns the right decision, and reports the points at which a wrong decision would differ. */
  watched(met: (point: Point, call: Call) => void): Defect['override'];
}

export function plantable<P extends Point>(decision: Decision<P>): Plantable {
  const { id, what, shown } = decision;
  return {
    id,
    conditions: conditionsOn(shown.map(({ at }) => at)),
    watched: (met) =>
      decision.override((point, call) => {
        met(point, call);
        return false;
      }),
    planted(condition) {
      const met = shown.filter(({ at }) => holds(condition, at));
      if (met.length === 0) throw new Error(`${id} is nowhere where ${nameOf(condition)}`);
      const where = condition.map(([axis, value]) => `${axis} is ${value}`).join(' and ');
      return {
        id: `generated/${id}+${nameOf(condition)}`,
        what: `${what} where ${where}.`,
        decision: id,
        condition,
        ofStored: shown.some(({ at }) => 'creation' in at),
        get breaks() {
          return rowsFor(new Set(met.flatMap(({ breaks }) => breaks)));
        },
        override: decision.override((point) => holds(condition, point)),
      };
    },
  };
}

/** Returns the rows that rest on these clauses; a row or an area represents itself. */
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
    for (const { id, level, judges, unchecked, basis } of loadCatalogue().requirements) {
      if (judges !== 'gateway' || unchecked !== null || level === 'MAY') continue;
      for (const { id: clause } of basis.citations) {
        rows.set(clause, [...(rows.get(clause) ?? []), id]);
      }
    }
    byClause = rows;
  }
  return byClause;
}
