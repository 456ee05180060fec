import {
  type CheckState,
  type CheckVerdict,
  type Exchange,
  formatId,
  redStates,
} from '../../kernel/core/index.ts';
import {
  type Check,
  exchangesOf,
  ReplayRun,
  type Scenario,
  scenariosAt,
  type TargetRun,
  verdictsOf,
  withPrerequisites,
} from '../../kernel/engine/index.ts';
import { type TransientFailure, transientFailures, transients } from './transient.ts';

/** A check that blames the gateway for a transient failure. */
interface Blame {
  /** Id of the exchange with the transient failure; null: judged again unchanged. */
  readonly key: string | null;
  readonly transient: TransientFailure | null;
  readonly check: string;
  /** State without the transient failure. */
  readonly from: CheckState;
  readonly to: CheckVerdict;
}

interface TriedTransients {
  /** Number of judged exchanges, each with every transient failure that applies to it. */
  readonly exchanges: number;
  /** Number of verdicts given after a transient failure. */
  readonly verdicts: number;
  readonly blamed: readonly Blame[];
}

type Verdicts = ReadonlyMap<string, CheckVerdict>;

/**
 * Captures all exchanges once, and judges them repeatedly with another transient failure in one of the answers,
 * without sending anything. Every scenario that depends on the answer runs again and may take another path.
 * Requests on that path that were never sent stay unanswered.
 */
export async function tryTransients(
  run: TargetRun,
  checks: readonly Check[],
): Promise<TriedTransients> {
  const before = await verdictsOf(run, checks);
  const asked = new Map<Scenario, readonly Exchange[]>();
  for (const [scenario, outcome] of run.outcomes) asked.set(scenario, exchangesOf(await outcome));
  const exchanges = [...asked.values()].flat();
  if (exchanges.some(({ failure }) => /^(interrupted|out-of-time)$/.test(failure?.kind ?? ''))) {
    return { exchanges: exchanges.length, verdicts: 0, blamed: [] };
  }
  const again = await verdictsOf(ReplayRun.forgiving(run, exchanges), checks);
  const blamed = blamesIn(before, again, { key: null, transient: null }, () => true);
  let verdicts = 0;
  for (const [scenario, own] of asked) {
    const concerned = checks.filter((check) =>
      withPrerequisites(scenariosAt(check, run.target)).has(scenario),
    );
    if (concerned.length === 0) continue;
    const needed = concerned.flatMap((check) => scenariosAt(check, run.target));
    // A scenario that runs last investigates all exchanges, so everything has to run again.
    const besides = needed.some(({ last }) => last) ? [...asked.keys()] : [];
    for (const one of own) {
      if (one.response === null) continue;
      for (const transient of transientFailures) {
        const other = transients[transient](one);
        if (other === null) continue;
        const failing = exchanges.map((each) => (each === one ? other : each));
        const after = await verdictsOf(ReplayRun.forgiving(run, failing), concerned, { besides });
        verdicts += after.size;
        blamed.push(
          ...blamesIn(before, after, { key: formatId(one.id), transient }, (state) =>
            redStates.has(state),
          ),
        );
      }
    }
  }
  return { exchanges: exchanges.length, verdicts, blamed };
}

function blamesIn(
  before: Verdicts,
  after: Verdicts,
  what: Pick<Blame, 'key' | 'transient'>,
  counts: (state: CheckState) => boolean,
): Blame[] {
  return [...after].flatMap(([check, to]) => {
    const from = before.get(check)?.state ?? 'excluded';
    return to.state !== from && counts(to.state) ? [{ ...what, check, from, to }] : [];
  });
}
