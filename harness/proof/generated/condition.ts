/** Circumstances of a decision: one value for each of its axes. */
export type Point = Readonly<Record<string, string>>;

/** Points at which a decision is wrong: those with these values on one or two axes. */
export type Condition = readonly (readonly [axis: string, value: string])[];

export function holds(condition: Condition, point: Point): boolean {
  return condition.every(([axis, value]) => point[axis] === value);
}

/** Formats a condition: `region=us+mode=stream` */
export function nameOf(condition: Condition): string {
  return condition.map(([axis, value]) => `${axis}=${value}`).join('+');
}

/**
 * Returns every value of one axis, and every pair of values of two axes, that some of the points have. Impossible
 * values are left out. Of conditions that match the same points, the first represents all, because no gateway can
 * distinguish them. A condition that matches every point is not a corner.
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
