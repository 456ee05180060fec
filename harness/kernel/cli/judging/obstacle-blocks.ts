import { type Plan, plannedObstacle } from '../../engine/index.ts';
import { type Block, paragraph } from '../../report/index.ts';

/**
 * Lists the reasons why checks of a plan cannot be judged, with the number of checks for each.
 *
 * @param untestable title for untestable checks
 */
export function obstacleBlocks(checks: Plan['checks'], untestable: string): readonly Block[] {
  const titles = {
    untestable,
    'left open': 'Left open, as the target file says:',
    'not-applicable': 'Not applicable:',
  };
  return (['untestable', 'left open', 'not-applicable'] as const).flatMap((kind) => {
    const reasons = new Map<string, number>();
    for (const check of checks) {
      const obstacle = plannedObstacle(check);
      if (obstacle === null) continue;
      const own = obstacle.restriction === undefined ? obstacle.kind : 'left open';
      if (own === kind) reasons.set(obstacle.reason, (reasons.get(obstacle.reason) ?? 0) + 1);
    }
    if (reasons.size === 0) return [];
    return [paragraph(titles[kind]), countedList(reasons), paragraph('')];
  });
}

/** Lists reasons with their counts, the most frequent first. Rare ones are joined if there are many. */
function countedList(reasons: ReadonlyMap<string, number>): Block {
  const most = [...reasons].sort(([, one], [, other]) => other - one);
  const rare = most.slice(shownReasons);
  const count = rare.reduce((sum, [, own]) => sum + own, 0);
  const joined = rare.length < 2 ? rare : [['other reasons', count] as const];
  const items = [...most.slice(0, shownReasons), ...joined].map(([text, own]) => ({
    sign: `${String(own).padStart(6)} `,
    text,
  }));
  return { block: 'list', items };
}

const shownReasons = 8;
