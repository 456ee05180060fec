import { type CheckDefinition, type Exchange, type Level, loadCatalogue } from '../core/index.ts';

/** Something that came of an act, and breaks the specification: whoever asked, wrote or counted. */
export interface Violation {
  /** The act that shows it. */
  readonly n: number;
  /** That of its row; without a row what a clause says is a MUST. */
  readonly level: Level;
  /** The check of the catalogue that judges this in a run; null: none judges just this. */
  readonly row: string | null;
  /** What says so: a clause of `fixtures/specification.md`, or where the row cites none, its first document. */
  readonly clause: string;
  /** What went wrong, whichever history shows it. */
  readonly kind: string;
  readonly expected: string;
  readonly actual: string;
  /** What shows it. */
  readonly exchange: Exchange;
}

/** What shows that a row does not hold. */
export type Shown = Pick<Violation, 'n' | 'exchange' | 'expected' | 'actual'>;

/** A violation of a row of the catalogue. */
export function against(row: string, shown: Shown, clause?: string): Violation {
  const { id, level, requirement, ...rest } = loadCatalogue().find(row);
  const says = clause ?? clauseOf({ id, level, requirement, ...rest });
  return { ...shown, level, row: id, clause: says, kind: requirement.id };
}

/**
 * The gateway broke the connection off, and listens still. It may have been restarted behind a
 * balancer that stays: only one that breaks it each time when the same is asked does it by itself.
 */
export function isBroken({ failure }: Exchange): boolean {
  return failure?.kind === 'reset';
}

/** Whether it is the same defect, as far as can be told: the same act breaks the same clause. */
export function sameKind(one: Violation, other: Violation): boolean {
  return one.kind === other.kind && one.clause === other.clause;
}

/** What of a violation its row says; a row that is not in the catalogue is none. */
export function byRow(
  row: string | null,
  clause: string,
): Pick<Violation, 'level' | 'row' | 'clause'> {
  const known = row === null ? undefined : rowsById().get(row);
  return { level: known?.level ?? 'MUST', row: known?.id ?? null, clause };
}

/** The clause that a row rests on: of several the first that promises something. */
export function clauseOf({ basis: { citations } }: CheckDefinition): string {
  const first = (kind: string) => citations.find((one) => one.kind === kind)?.id;
  return first('clause') ?? first('document') ?? first('gap') ?? '';
}

/** The row that says of one thing that it is served, where there is one and no second. */
export function servedRow(clause: string, value: string): string | null {
  const rows = loadCatalogue().checks.filter(
    (row) =>
      /\.(\w+-)*served$/.test(row.requirement.id) &&
      (row.value === null || row.value === value) &&
      row.basis.citations.some(({ id }) => id === clause),
  );
  const [only, second] = rows;
  return only !== undefined && second === undefined ? only.id : null;
}

let rows: { readonly of: unknown; readonly byId: ReadonlyMap<string, CheckDefinition> } | undefined;

function rowsById(): ReadonlyMap<string, CheckDefinition> {
  const { checks } = loadCatalogue();
  if (rows?.of !== checks) {
    rows = { of: checks, byId: new Map(checks.map((check) => [check.id, check])) };
  }
  return rows.byId;
}
