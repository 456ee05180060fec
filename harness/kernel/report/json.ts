import {
  type RootCause,
  type RunResult,
  rootCausesOf,
  type Scope,
  scopeOf,
} from '../core/index.ts';
import { causeInWords } from './cause-words.ts';

/** `report.json`: the result of a run with a version, and derived facts. */
export interface JsonReport extends RunResult {
  readonly format: 'gateway-touchstone/report';
  /** Incremented when a member is removed or changes its meaning. See `fixtures/report.schema.json`. */
  readonly version: 1;
  readonly causes?: readonly JsonCause[];
  readonly scope?: Scope;
}

/** Failures with a likely common cause, by the ids of its checks. */
interface JsonCause extends Pick<RootCause, 'kind'> {
  readonly title: string;
  readonly root: string;
  readonly failed: readonly string[];
  readonly waiting: readonly string[];
}

/** Renders a run as JSON, described by `fixtures/report.schema.json`. */
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

/** The causes in the form of the JSON report. */
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
