import type { CheckState } from '../../../kernel/core/index.ts';
import { minuteOf, standingOf } from '../../../kernel/report/index.ts';
import type { PastRun, Row } from './past-run.ts';

/** Checks of one requirement that failed from one run on, and were fixed in one run. */
export interface Incident extends Row {
  /** Ids of the checks. */
  readonly checks: readonly string[];
  /** Index of the run in which they were first seen failing. */
  readonly broke: number;
  /** Index of the last earlier run in which they passed. Null if there is none. */
  readonly held: number | null;
  /** Index of the run in which they passed again. Null if they still fail. */
  readonly fixed: number | null;
  /** Index of the last run that judged them during the incident. */
  readonly lastJudged: number;
}

/** Period in which one check failed, as indices of runs. */
interface Episode {
  broke: number;
  held: number | null;
  fixed: number | null;
  lastJudged: number;
}

/**
 * Finds the incidents of a series of runs: failures, and when they were fixed. A run that did not judge a check
 * says nothing about it, so that neither a filter nor a timeout ends an incident.
 */
export function incidentsIn(runs: readonly PastRun[]): readonly Incident[] {
  const rows = new Map(runs.flatMap((run) => [...run.rows]));
  const groups = new Map<string, Incident>();
  for (const [id, row] of rows) {
    for (const { broke, held, fixed, lastJudged } of episodesOf(
      runs.map(({ states }) => states.get(id)),
    )) {
      const key = [row.requirement, broke, held, fixed, lastJudged].join(' ');
      const checks = [...(groups.get(key)?.checks ?? []), id];
      groups.set(key, { ...row, checks, broke, held, fixed, lastJudged });
    }
  }
  const last = (fixed: number | null): number => fixed ?? Number.POSITIVE_INFINITY;
  return [...groups.values()].sort(
    (one, other) => compareNumbers(last(other.fixed), last(one.fixed)) || other.broke - one.broke,
  );
}

function compareNumbers(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function episodesOf(states: readonly (CheckState | undefined)[]): readonly Episode[] {
  const episodes: Episode[] = [];
  let held: number | null = null;
  let open: Episode | null = null;
  for (const [index, state] of states.entries()) {
    const standing = standingOf(state ?? 'absent');
    if (standing === 'not judged') continue;
    if (open !== null) open.lastJudged = index;
    if (standing === 'broken' && open === null) {
      open = { broke: index, held, fixed: null, lastJudged: index };
      episodes.push(open);
    }
    if (standing === 'holds') {
      if (open !== null) open.fixed = index;
      open = null;
      held = index;
    }
  }
  return episodes;
}

/** Number of checks that fail after the last run, as far as is known. */
export function brokenNow(incidents: readonly Incident[]): number {
  return incidents
    .filter(({ fixed }) => fixed === null)
    .reduce((sum, { checks }) => sum + checks.length, 0);
}

/** `a/b.c (2 checks)` */
export function nameOf({ requirement, checks }: Incident): string {
  return checks.length === 1
    ? (checks[0] ?? requirement)
    : `${requirement} (${checks.length} checks)`;
}

/** `broke 2026-01-02 03:04 UTC; fixed 2026-01-03 03:04 UTC` */
export function incidentInWords(incident: Incident, runs: readonly PastRun[]): string {
  return `${beganInWords(incident, runs)}; ${endedInWords(incident, runs)}`;
}

/** `broke 2026-01-02 03:04 UTC` */
function beganInWords({ broke, held }: Incident, runs: readonly PastRun[]): string {
  return `${held === null ? 'broken when first judged,' : 'broke'} ${whenOf(runs[broke])}`;
}

/** `fixed 2026-01-03 03:04 UTC` */
function endedInWords({ fixed, lastJudged }: Incident, runs: readonly PastRun[]): string {
  if (fixed !== null) return `fixed ${whenOf(runs[fixed])}`;
  return lastJudged === runs.length - 1
    ? 'still broken'
    : `not judged since ${whenOf(runs[lastJudged])}`;
}

function whenOf(run: PastRun | undefined): string {
  return run === undefined ? '' : minuteOf(run.head);
}
