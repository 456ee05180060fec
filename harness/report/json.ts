import type { RunResult } from '../core/result.ts';

/** `report.json`: a run's result as it is, under a name and a version. */
export interface JsonReport extends RunResult {
  readonly format: 'gateway-touchstone/report';
  /** Counts up when a member is removed or changes its meaning; see `fixtures/report.schema.json`. */
  readonly version: 1;
}

/** A run as `fixtures/report.schema.json` describes it, for programs. */
export function renderJson(result: RunResult): string {
  const report: JsonReport = { format: 'gateway-touchstone/report', version: 1, ...result };
  return `${JSON.stringify(report, null, 2)}\n`;
}
