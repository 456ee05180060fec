import {
  type CheckResult,
  type CheckVerdict,
  type Level,
  levels,
  loadCatalogue,
  type RootCause,
  type RunResult,
  rootCausesOf,
  type Scope,
  scopeOf,
  sideOf,
  suiteOf,
} from '../core/index.ts';
import { causeInWords } from './cause-words.ts';
import { isDue } from './outcome.ts';
import { keyed } from './summary.ts';

/** `report.json`: the result of a run with a version, and derived facts. */
export interface JsonReport extends RunResult {
  readonly format: 'gateway-touchstone/report';
  /** Incremented when a member is removed or changes its meaning. See `fixtures/report.schema.json`. */
  readonly version: 2;
  /** The checks that are not due, by their verdict. `checks` has the others. */
  readonly notDue: readonly NotDue[];
  readonly causes?: readonly JsonCause[];
  readonly scope?: Scope;
}

/** Ids of checks of which there is nothing to know but the verdict. */
interface NotDue {
  readonly verdict: CheckVerdict;
  readonly ids: Readonly<Partial<Record<Level, readonly string[]>>>;
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
  return `${JSON.stringify(reportOf(result), null, 1)}\n`;
}

/** Returns the report of a run. */
export function reportOf(result: RunResult): JsonReport {
  return {
    format: 'gateway-touchstone/report',
    version: 2,
    notDue: notDueIn(result.checks),
    ...result,
    checks: result.checks.filter(isDue),
    causes: causesFor(result),
    scope: scopeOf(result),
  };
}

function notDueIn(checks: readonly CheckResult[]): readonly NotDue[] {
  const groups = keyed(
    checks.filter((check) => !isDue(check)),
    ({ verdict }) => JSON.stringify(verdict),
  );
  return [...groups].map(([verdict, own]) => ({
    verdict: JSON.parse(verdict),
    ids: Object.fromEntries(
      levels.flatMap((level) => {
        const ids = own.filter((one) => one.level === level).map(({ id }) => id);
        return ids.length === 0 ? [] : [[level, ids]];
      }),
    ),
  }));
}

/**
 * Returns the run of a report. The catalogue has the texts and the sources of checks that were not due, and the order
 * of all checks. A report of another catalogue may name checks that have no text here; they come last.
 */
export function resultIn({
  format: _,
  version: __,
  causes: ___,
  scope: ____,
  notDue,
  ...run
}: JsonReport): RunResult {
  const rows = loadCatalogue(sideOf(run)).checks;
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  const others = notDue.flatMap(({ verdict, ids }) =>
    levels.flatMap((level) =>
      (ids[level] ?? []).map((id): CheckResult => {
        const row = rows[places.get(id) ?? -1];
        return {
          id,
          suite: suiteOf(id),
          requirement: id.split(':')[0] ?? id,
          level,
          text: row?.requirement.text ?? '',
          basis: row?.basis ?? { citations: [], judgement: null },
          scenarios: [],
          verdict,
        };
      }),
    ),
  );
  const placeOf = ({ id }: CheckResult): number => places.get(id) ?? rows.length;
  const checks = [...run.checks, ...others].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { ...run, checks };
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
