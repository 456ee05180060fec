import type { ClientSubject } from '../../core/index.ts';
import { type Plan, plannedObstacle } from '../../engine/index.ts';
import { counted, titleOf } from '../../report/index.ts';
import { type Target, withDefaults } from '../../targets/index.ts';
import { obstacleLines } from './obstacle-lines.ts';

/** Returns a target for the plan of a client. Nothing listens at its addresses. */
export function plannedClient(name: string, client: ClientSubject): Target {
  const regions = ['eu', 'us'].map((region) => ({ name: region, baseUrl: 'http://127.0.0.1:9' }));
  const keys = { owner: 'not-used-here' };
  return { ...withDefaults({ name, regions, keys, models: [] }, name), client };
}

/** Formats the plan of a run that judges a client. */
export function printClientPlan({ checks, requests }: Plan, target: Target, width: number): string {
  const tested = checks.filter((check) => plannedObstacle(check) === null);
  const scenarios = new Set(tested.flatMap((check) => check.scenarios.map(({ name }) => name)));
  return [
    `${titleOf({ target })}: ${tested.length} of ${checks.length} checks can be judged.`,
    '',
    `  scenarios      ${scenarios.size}`,
    target.client?.upstreamOf === undefined
      ? `  starts         at most ${counted(requests, 'start')} of the command`
      : `  requests       at most ${counted(requests, 'request')} to its front`,
    '  costs          nothing: the gateway that it speaks to is part of Touchstone',
    '',
    ...obstacleLines(checks, width, 'Untestable, until the client is started otherwise:'),
  ].join('\n');
}
