/** One requirement of the catalogue, as its row stands in `fixtures/requirements/`. */
export interface Requirement {
  /** `<suite>/<area>.<rule>`: the catalogue key. Never numbered, never reused. */
  readonly id: string;
  readonly level: Level;
  /** The requirement, in one sentence. */
  readonly text: string;
  readonly basis: Basis;
  /** The values for which the row is run, one check each; null when it is run once. */
  readonly axis: readonly AxisValue[] | null;
  /** A row without an axis is judged in every region. */
  readonly inEachRegion?: boolean;
  /** Side that the requirement applies to. */
  readonly judges: Side;
  /** Reason why the row cannot have a check; null if it has one. */
  readonly unchecked: string | null;
}

/** The two ends of the interface. A run judges one of them. */
export const sides = ['gateway', 'client'] as const;
export type Side = (typeof sides)[number];

export const levels = ['MUST', 'SHOULD', 'MAY'] as const;
/** MUST fails the run, SHOULD warns, MAY is noted. */
export type Level = (typeof levels)[number];

/** Grounds of a requirement. */
export interface Basis {
  readonly citations: readonly Citation[];
  /** Our own reason, where no clause and no document is enough. It can never carry a MUST. */
  readonly judgement: string | null;
}

/** Something that can be opened: a clause of the interface specification, or a native document. */
export interface Citation {
  /** `AUTH-1`, or the id of an entry of `fixtures/sources.yaml`: `messages-create`. */
  readonly id: string;
  /** A `gap` is a clause that says what the specification leaves open. */
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
  /** The row is judged in every region. */
  readonly inEachRegion?: boolean;
}

/** One row for one value of its axis: what a check is bound to, and what a report lists. */
export interface CheckDefinition {
  /** `<requirement>` or `<requirement>:<value>`. */
  readonly id: string;
  readonly requirement: Requirement;
  readonly value: string | null;
  readonly level: Level;
  readonly basis: Basis;
  /** The check is judged in every region of the target, and not in the first alone. */
  readonly inEachRegion?: boolean;
}

/** The checks that a requirement stands for. */
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
