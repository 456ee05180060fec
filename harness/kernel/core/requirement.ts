/** One requirement of the catalogue: a row in `fixtures/requirements/`. */
export interface Requirement {
  /** `<suite>/<area>.<rule>`: the catalogue key. Never numbered, never reused. */
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly basis: Basis;
  /** The values of the row's axis, one check each; null for a single check. */
  readonly axis: readonly AxisValue[] | null;
  /** True if a row without an axis is judged in every region. */
  readonly inEachRegion?: boolean;
  readonly judges: Side;
  /** Reason why the row cannot have a check; null if it has one. */
  readonly unchecked: string | null;
}

/**
 * Subjects of a run: a gateway from its front, a client, or a gateway from both of its sides, with Touchstone as its
 * providers. A run of both sides judges the rows of a gateway, too.
 */
export const sides = ['gateway', 'client', 'both-sides'] as const;
export type Side = (typeof sides)[number];

/** True if a run of this side judges the rows that are written for another one. */
export function isJudgedFrom(side: Side, judges: Side): boolean {
  return judges === side || (side === 'both-sides' && judges === 'gateway');
}

export const levels = ['MUST', 'SHOULD', 'MAY'] as const;
/** MUST fails the run, SHOULD warns, MAY is noted. */
export type Level = (typeof levels)[number];

export interface Basis {
  readonly citations: readonly Citation[];
  /** Our own reason, if no clause and no document is sufficient. It can never carry a MUST. */
  readonly judgement: string | null;
}

/** A source that can be opened: a clause of the interface specification, or a native document. */
export interface Citation {
  /** `AUTH-1`, or the id of an entry of `fixtures/sources.yaml`: `messages-create`. */
  readonly id: string;
  /** `gap`: a clause that names something that the specification leaves open. */
  readonly kind: 'clause' | 'gap' | 'document';
  /** Text of the clause, or title of the document. */
  readonly text: string;
  /** `fixtures/specification.md#auth-1`, or the address of the document. */
  readonly link: string;
}

export interface AxisValue {
  readonly value: string;
  /** The level for this value; usually that of the row. */
  readonly level: Level;
  /** Citations for this value; usually all citations of the row. */
  readonly citations: readonly Citation[];
  /** True if the value is judged in every region. */
  readonly inEachRegion?: boolean;
}

/** One row for one value of its axis. A check is bound to it, and a report lists it. */
export interface CheckDefinition {
  /** `<requirement>` or `<requirement>:<value>`. */
  readonly id: string;
  readonly requirement: Requirement;
  readonly value: string | null;
  readonly level: Level;
  readonly basis: Basis;
  /** True if the check is judged in every region of the target, not only in the first. */
  readonly inEachRegion?: boolean;
}

export function expand(requirement: Requirement): CheckDefinition[] {
  if (requirement.axis === null) {
    const { id, level, basis, inEachRegion = false } = requirement;
    return [{ id, requirement, value: null, level, basis, inEachRegion }];
  }
  return requirement.axis.map(({ value, level, citations, inEachRegion = false }) => ({
    id: `${requirement.id}:${value}`,
    requirement,
    value,
    level,
    basis: { ...requirement.basis, citations },
    inEachRegion,
  }));
}
