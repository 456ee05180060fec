import type { Side } from '../../../kernel/core/index.ts';
import { type Incident, incidentsIn } from './incidents.ts';
import type { PastRun } from './past-run.ts';

/** A file that is left out, and the reason. */
export interface LeftOut {
  readonly file: string;
  readonly reason: string;
}

/** All runs of one gateway or client, the oldest first. */
export interface Series {
  readonly name: string;
  readonly side: Side;
  readonly runs: readonly PastRun[];
  /** Incidents: open ones first, then the latest. */
  readonly incidents: readonly Incident[];
}

export interface History {
  /** The folder as the user named it. */
  readonly folder: string;
  readonly series: readonly Series[];
  /** Number of files that are not meant as reports. */
  readonly ignored: number;
  /** Files that should be reports but are not, are parts of a run, or are duplicates. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * The history of a folder.
 *
 * @param found its reports, in any order
 */
export function historyOf(
  folder: string,
  found: readonly PastRun[],
  unreadable: readonly LeftOut[],
  ignored: number,
): History {
  const leftOut = [...unreadable];
  const runs: PastRun[] = [];
  const known = new Map<string, string>();
  for (const run of [...found].sort(byTime)) {
    const { file, runId } = run.head;
    const same = known.get(runId);
    if (run.isPart) {
      leftOut.push({ file, reason: 'a part of a run: `touchstone merge` joins the parts' });
    } else if (same !== undefined) {
      leftOut.push({ file, reason: `the same run as ${same}` });
    } else {
      known.set(runId, file);
      runs.push(run);
    }
  }
  const names = [...new Set(runs.map(({ side, title }) => `${side} ${title}`))].sort();
  return {
    folder,
    series: names.map((name) =>
      seriesOf(runs.filter((run) => `${run.side} ${run.title}` === name)),
    ),
    ignored,
    leftOut: leftOut.sort((one, other) => inOrder(one.file, other.file)),
  };
}

function seriesOf(runs: readonly PastRun[]): Series {
  const [first] = runs;
  return {
    name: first?.title ?? '',
    side: first?.side ?? 'gateway',
    runs,
    incidents: incidentsIn(runs),
  };
}

function byTime(one: PastRun, other: PastRun): number {
  return (
    inOrder(one.head.startedAt, other.head.startedAt) || inOrder(one.head.file, other.head.file)
  );
}

/** Compares texts independently of the locale of the machine. */
function inOrder(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The areas of all runs, in the order of their names. */
export function areasIn(runs: readonly PastRun[]): readonly string[] {
  return [...new Set(runs.flatMap(({ areas }) => [...areas.keys()]))].sort(inOrder);
}
