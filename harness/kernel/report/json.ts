import {
  type RootCause,
  type RunResult,
  rootCausesOf,
  type Scope,
  scopeOf,
} from '../core/index.ts';
import { causeInWords } from './cause-words.ts';

/** `report.json`: a run's result as it is, under a name and a version, and what follows from it. */
export interface JsonReport extends RunResult {
  readonly format: 'gateway-touchstone/report';
  /** Counts up when a member is removed or changes its meaning; see `fixtures/report.schema.json`. */
  readonly version: 1;
  readonly causes?: readonly JsonCause[];
  readonly scope?: Scope;
}

/** Failures that seem to have one cause, by the ids of its checks. */
interface JsonCause extends Pick<RootCause, 'kind'> {
  readonly title: string;
  readonly root: string;
  readonly failed: readonly string[];
  readonly waiting: readonly string[];
}

/** A run as `fixtures/report.schema.json` describes it, for programs. */
export function renderJson(result: RunResult): string {
  const report: JsonReport = {
    format: 'gateway-touchstone/report',
    version: 1,
    ...result,
    causes: causesFor(result),
    scope: scopeOf(result),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The causes as a report for programs has them. */
export function causesFor(result: RunResult): readonly JsonCause[] {
  return rootCausesOf(result).map(jsonCause);
}

function jsonCause(cause: RootCause): JsonCause {
  const idOf = ({ id }: { readonly id: string }): string => id;
  return {
    title: causeInWords(cause),
    kind: cause.kind,
    root: cause.root.id,
    failed: cause.failed.map(idOf),
    waiting: cause.waiting.map(idOf),
  };
}
