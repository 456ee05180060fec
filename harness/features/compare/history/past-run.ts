import {
  type CheckState,
  type Level,
  partInWords,
  type RunResult,
  type Side,
  sideOf,
} from '../../../kernel/core/index.ts';
import {
  headOf,
  type RunHead,
  type StateCounts,
  stateCounts,
  titleOf,
} from '../../../kernel/report/index.ts';

/** Extract of a run for a history: reports are large, and a folder has many. */
export interface PastRun {
  readonly head: RunHead;
  readonly side: Side;
  readonly title: string;
  /** True for a part of a run that was split. */
  readonly isPart: boolean;
  /** The state of each check, by its id. */
  readonly states: ReadonlyMap<string, CheckState>;
  /** Number of checks in each state, by area. */
  readonly areas: ReadonlyMap<string, StateCounts>;
  /** Requirements, by the ids of their checks. */
  readonly rows: ReadonlyMap<string, Row>;
}

/** Facts of a requirement that a history shows. */
export interface Row {
  readonly requirement: string;
  readonly level: Level;
  readonly text: string;
}

/** Extracts from a report what a history keeps. */
export function pastRun(file: string, result: RunResult): PastRun {
  return {
    head: headOf({ file, result }),
    side: sideOf(result),
    title: titleOf({ target: withoutVersion(result.target) }),
    isPart: partInWords(result) !== null,
    states: new Map(result.checks.map(({ id, verdict }) => [id, verdict.state])),
    areas: stateCounts(result.checks, ({ area }) => area),
    rows: new Map(
      result.checks.map(({ id, requirement, level, text }) => [id, { requirement, level, text }]),
    ),
  };
}

/** A client keeps its identity when its version changes. */
function withoutVersion({
  name,
  client,
}: RunResult['target']): Parameters<typeof titleOf>[0]['target'] {
  if (client === undefined) return { name };
  const { version: _, ...rest } = client;
  return { name, client: rest };
}
