import { type Plan, plannedObstacle } from '../../engine/index.ts';
import { wrap } from '../../report/index.ts';

/**
 * Lists the reasons why checks of a plan cannot be judged, with the number of checks for each.
 *
 * @param untestable title for untestable checks
 */
export function obstacleLines(
  checks: Plan['checks'],
  width: number,
  untestable: string,
): readonly string[] {
  const lines: string[] = [];
  const titles = {
    untestable,
    'left open': 'Left open, as the target file says:',
    'not-applicable': 'Not applicable:',
  };
  for (const kind of ['untestable', 'left open', 'not-applicable'] as const) {
    const reasons = new Map<string, number>();
    for (const check of checks) {
      const obstacle = plannedObstacle(check);
      if (obstacle === null) continue;
      const own = obstacle.restriction === undefined ? obstacle.kind : 'left open';
      if (own === kind) reasons.set(obstacle.reason, (reasons.get(obstacle.reason) ?? 0) + 1);
    }
    if (reasons.size === 0) continue;
    lines.push(titles[kind], ...countedLines(reasons, width), '');
  }
  return lines;
}

/** Formats reasons with their counts, the most frequent first. */
export function countedLines(
  reasons: ReadonlyMap<string, number>,
  width: number,
): readonly string[] {
  const most = [...reasons].sort(([, one], [, other]) => other - one);
  return most.flatMap(([reason, count]) => {
    const [first = '', ...rest] = wrap(reason, Math.max(40, width - 8));
    return [`  ${String(count).padStart(4)}  ${first}`, ...rest.map((line) => `        ${line}`)];
  });
}
