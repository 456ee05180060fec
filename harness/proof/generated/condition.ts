/** Circumstances of a decision: one value for each of its axes. */
export type Point = Readonly<Record<string, string>>;

/** Points at which a decision is wrong: those with these values on one or two axes. */
export type Condition = readonly (readonly [axis: string, value: string])[];

export function holds(condition: Condition, point: Point): boolean {
  return condition.every(([axis, value]) => point[axis] === value);
}

/** `region=us+mode=stream` */
export function nameOf(condition: Condition): string {
  return condition.map(([axis, value]) => `${axis}=${value}`).join('+');
}

/**
 * Every value of one axis and every pair of values of two that some of the points have. What no point has
 * can never be met, and is left out. Of conditions that are met at the same points the first stands for
 * all: a gateway cannot tell them apart. One that is met at every point is no corner.
 */
export function conditionsOn(points: readonly Point[]): Condition[] {
  const axes = [...new Set(points.flatMap((point) => Object.keys(point)))];
  const singles = axes.flatMap((axis) => valuesOf(axis, points));
  const pairs = singles.flatMap((one, index) =>
    singles
      .slice(index + 1)
      .filter(([axis]) => axis !== one[0])
      .map((other): Condition => [one, other]),
  );
  const met = new Set<string>([points.map(() => 1).join('')]);
  return [...singles.map((one): Condition => [one]), ...pairs].filter((condition) => {
    const where = points.map((point) => Number(holds(condition, point))).join('');
    if (!where.includes('1') || met.has(where)) return false;
    met.add(where);
    return true;
  });
}

function valuesOf(axis: string, points: readonly Point[]): (readonly [string, string])[] {
  const values = new Set(points.flatMap((point) => point[axis] ?? []));
  return [...values].map((value) => [axis, value] as const);
}
