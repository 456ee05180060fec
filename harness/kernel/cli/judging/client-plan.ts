import type { ClientSubject } from '../../core/index.ts';
import { type Plan, plannedObstacle } from '../../engine/index.ts';
import {
  type Block,
  counted,
  fact,
  paragraph,
  type ReportDocument,
  titleOf,
  withFacts,
} from '../../report/index.ts';
import { type Target, withDefaults } from '../../targets/index.ts';
import { obstacleBlocks } from './obstacle-blocks.ts';

/** Returns a target for the plan of a client. Nothing listens at its addresses. */
export function plannedClient(name: string, client: ClientSubject): Target {
  const regions = ['eu', 'us'].map((region) => ({ name: region, baseUrl: 'http://127.0.0.1:9' }));
  const keys = { owner: 'not-used-here' };
  return { ...withDefaults({ name, regions, keys, models: [] }, name), client };
}

/** Returns the document of the plan of a run that judges a client. */
export function clientPlanDocument({ checks, requests }: Plan, target: Target): ReportDocument {
  const tested = checks.filter((check) => plannedObstacle(check) === null);
  const scenarios = new Set(tested.flatMap((check) => check.scenarios.map(({ name }) => name)));
  const sent =
    target.client?.upstreamOf === undefined
      ? fact(
          'starts',
          `at most ${counted(requests, 'start')} of the command${target.client?.tasks === true ? ', or tasks of fewer starts' : ''}`,
        )
      : fact('requests', `at most ${counted(requests, 'request')} to its front`);
  const free = 'nothing: the gateway that it speaks to is part of Touchstone';
  const facts = withFacts([fact('scenarios', `${scenarios.size}`), sent, fact('costs', free)]);
  return planDocument([
    planSection(titleOf({ target }), checks, [facts]),
    paragraph(''),
    ...obstacleBlocks(checks, 'Untestable, until the client is started otherwise:'),
  ]);
}

export function planDocument(blocks: readonly Block[]): ReportDocument {
  return { kind: 'plan', title: '', conclusion: null, blocks };
}

/** Returns a section whose title says how many checks can be judged. */
export function planSection(name: string, checks: Plan['checks'], blocks: readonly Block[]): Block {
  const tested = checks.filter((check) => plannedObstacle(check) === null);
  const title = `${name}: ${tested.length} of ${checks.length} checks can be judged.`;
  return { block: 'section', title, blocks };
}
