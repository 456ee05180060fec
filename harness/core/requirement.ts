/** One requirement of the catalogue, as its row stands in `fixtures/requirements/`. */
export interface Requirement {
  /** `<suite>/<area>.<rule>`: the catalogue key. Never numbered, never reused. */
  readonly id: string;
  readonly level: Level;
  /** What holds, in one sentence. */
  readonly text: string;
  readonly source: Source;
  /** The values for which the row is run, one check each; null when it is run once. */
  readonly axis: readonly AxisValue[] | null;
  /** Why the row has no check, where it cannot have one. */
  readonly unchecked: string | null;
}

export const levels = ['MUST', 'SHOULD', 'MAY'] as const;
/** MUST fails the run, SHOULD warns, MAY is noted. */
export type Level = (typeof levels)[number];

export const authorities = ['spec', 'native', 'project'] as const;
/**
 * `spec`: the interface specification. `native`: the public documentation of that protocol.
 * `project`: our own judgement, which can never carry a MUST.
 */
export type Authority = (typeof authorities)[number];

export interface Source {
  readonly authority: Authority;
  /** The section or document, in its own words: `Stored response`, `Messages API, streaming`. */
  readonly section: string;
}

export interface AxisValue {
  readonly value: string;
  /** The level for this value; usually that of the row. */
  readonly level: Level;
}

/** One row for one value of its axis: what a check is bound to, and what a report lists. */
export interface CheckDefinition {
  /** `<requirement>` or `<requirement>:<value>`. */
  readonly id: string;
  readonly requirement: Requirement;
  readonly value: string | null;
  readonly level: Level;
}

/** The checks that a requirement stands for. */
export function expand(requirement: Requirement): CheckDefinition[] {
  if (requirement.axis === null) {
    return [{ id: requirement.id, requirement, value: null, level: requirement.level }];
  }
  return requirement.axis.map(({ value, level }) => ({
    id: `${requirement.id}:${value}`,
    requirement,
    value,
    level,
  }));
}
