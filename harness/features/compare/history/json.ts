import type { RunHead } from '../../../kernel/report/index.ts';
import type { History, LeftOut } from './history.ts';
import type { Incident } from './incidents.ts';
import type { PastRun } from './past-run.ts';

/** Output of `history --json`, described by `fixtures/history.schema.json`. */
interface JsonHistory {
  readonly format: 'gateway-touchstone/history';
  readonly version: 1;
  readonly folder: string;
  readonly targets: readonly {
    readonly name: string;
    readonly side: 'gateway' | 'client';
    readonly runs: readonly (RunHead & {
      readonly areas: Readonly<Record<string, Readonly<Record<string, number>>>>;
    })[];
    readonly incidents: readonly Incident[];
  }[];
  readonly ignored: number;
  readonly leftOut: readonly LeftOut[];
}

/** Renders a history as JSON. */
export function renderHistoryJson({ folder, series, ignored, leftOut }: History): string {
  const value: JsonHistory = {
    format: 'gateway-touchstone/history',
    version: 1,
    folder,
    targets: series.map(({ name, side, runs, incidents }) => ({
      name,
      side,
      runs: runs.map((run) => ({ ...run.head, areas: areasOf(run) })),
      incidents,
    })),
    ignored,
    leftOut,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function areasOf({ areas }: PastRun): JsonHistory['targets'][number]['runs'][number]['areas'] {
  return Object.fromEntries([...areas].map(([area, counts]) => [area, Object.fromEntries(counts)]));
}
