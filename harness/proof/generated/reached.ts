import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../kernel/core/index.ts';
import {
  exchangesOf,
  LiveRun,
  ownSignal,
  suiteChecks,
  Traffic,
  verdictsOf,
} from '../../kernel/engine/index.ts';
import { Recorder } from '../../kernel/recordings/index.ts';
import { referenceTarget, type Target } from '../../kernel/targets/index.ts';
import type { Verdicts } from '../matrix.ts';
import { together } from '../planting.ts';
import { holds, type Point } from './condition.ts';
import type { GeneratedFault } from './decision.ts';
import { allDecisions } from './index.ts';

/** Record of a run of the suite against the gateway without any defect. */
export interface Reached {
  readonly target: Target;
  readonly verdicts: Verdicts;
  /** Number of requests that each scenario sent, by name. */
  readonly requests: ReadonlyMap<string, number>;
  /**
   * Returns the scenarios with a request for which a fault would decide differently. Without any, the run cannot
   * notice the fault.
   */
  scenariosAt(fault: GeneratedFault): readonly string[];
}

interface Met {
  readonly point: Point;
  /** Labels of the requests that met the point. */
  readonly by: Set<string>;
}

const known = new Map<number, Promise<Reached>>();

/** Observes every decision that can be planted wrong, in one whole run. Runs once per seed. */
export function reachedBy(seed: number): Promise<Reached> {
  const reached = known.get(seed) ?? watch(seed);
  known.set(seed, reached);
  return reached;
}

async function watch(seed: number): Promise<Reached> {
  const met = new Map<string, Map<string, Met>>();
  const watched = allDecisions().map(({ id, watched }) => {
    const points = new Map<string, Met>();
    met.set(id, points);
    return watched((point, { clientRequestId }) => {
      const name = JSON.stringify(point);
      const one = points.get(name) ?? { point, by: new Set() };
      points.set(name, one);
      if (clientRequestId !== null) one.by.add(clientRequestId);
    });
  });
  const defect = { id: 'watched', what: '', override: together(...watched) };
  const started = await referenceTarget({ defect });
  try {
    const { target } = started;
    const run = new LiveRun({
      target,
      seed,
      runId: randomUUID(),
      sequence: {},
      stop: ownSignal(undefined).stop,
      traffic: new Traffic(),
      recorder: new Recorder(null),
    });
    const verdicts = await verdictsOf(run, await suiteChecks());
    const requests = new Map<string, number>();
    const scenarioOf = new Map<string, string>();
    for (const [{ name }, outcome] of run.outcomes) {
      const exchanges = exchangesOf(await outcome);
      requests.set(name, exchanges.length);
      for (const exchange of exchanges) scenarioOf.set(calledIn(exchange), name);
    }
    return {
      ...{ target, verdicts, requests },
      scenariosAt: ({ decision, condition }) => {
        const points = [...(met.get(decision)?.values() ?? [])];
        const by = points.flatMap(({ point, by }) => (holds(condition, point) ? [...by] : []));
        return [...new Set(by.flatMap((id) => scenarioOf.get(id) ?? []))];
      },
    };
  } finally {
    await started.close();
  }
}

function calledIn({ request: { headers } }: Exchange): string {
  const [, id = ''] = headers.find(([name]) => name.toLowerCase() === 'x-client-request-id') ?? [];
  return id;
}
