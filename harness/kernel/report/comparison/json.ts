import type { Level, RunResult, RunVerdict } from '../../core/index.ts';
import type { Change, ChangeKind } from '../difference.ts';
import {
  type Caveat,
  type ComparedRun,
  type Comparison,
  isExcused,
  judgedIn,
} from './comparison.ts';

/** A run of a comparison or a history, without its checks. */
interface RunHead {
  readonly file: string;
  readonly target: RunResult['target'];
  readonly runId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: RunVerdict;
  readonly suiteVersion: string;
  readonly specification: RunResult['specification'];
  readonly seed: number;
  readonly filters: readonly string[];
  readonly counts: RunResult['counts'];
  /** Number of checks with a verdict on the gateway. */
  readonly judged: number;
}

/** Output of `diff --json`, described by `fixtures/comparison.schema.json`. */
interface JsonComparison {
  readonly format: 'gateway-touchstone/comparison';
  readonly version: 1;
  readonly older: RunHead;
  readonly newer: RunHead;
  readonly caveats: readonly Caveat[];
  readonly counts: Readonly<Record<ChangeKind, number>>;
  readonly changes: readonly JsonChange[];
}

interface JsonChange {
  readonly id: string;
  readonly requirement: string;
  readonly level: Level;
  readonly text: string;
  readonly kind: ChangeKind;
  readonly from: Change['from'];
  readonly to: Change['to'];
  readonly why: string;
  /** True if the check is on the newer run's list of known failures. */
  readonly known: boolean;
}

/** Renders a comparison as JSON. */
export function renderComparisonJson(comparison: Comparison): string {
  const { older, newer, caveats, counts, changes } = comparison;
  const value: JsonComparison = {
    format: 'gateway-touchstone/comparison',
    version: 1,
    older: headOf(older),
    newer: headOf(newer),
    caveats,
    counts,
    changes: changes.map((change) => ({
      id: change.id,
      requirement: change.check.requirement,
      level: change.check.level,
      text: change.check.text,
      kind: change.kind,
      from: change.from,
      to: change.to,
      why: change.why,
      known: isExcused(change, comparison),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function headOf({ file, result }: ComparedRun): RunHead {
  const { target, runId, startedAt, durationMs, verdict, suiteVersion } = result;
  const { specification, seed, filters, counts } = result;
  return {
    ...{ file, target, runId, startedAt, durationMs, verdict, suiteVersion },
    ...{ specification, seed, filters, counts, judged: judgedIn(result) },
  };
}
