import {
  type CheckDefinition,
  type Exchange,
  type Level,
  loadCatalogue,
} from '../../kernel/core/index.ts';

export interface Violation {
  readonly n: number;
  /** Level of its row. Without a row, a clause counts as a MUST. */
  readonly level: Level;
  /** The catalogue's check for the same requirement in a run; null for none. */
  readonly row: string | null;
  /** Source: a clause of `fixtures/specification.md`, or the first document of the row if it cites no clause. */
  readonly clause: string;
  readonly kind: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange;
}

/** Evidence that a row does not hold. */
export type Shown = Pick<Violation, 'n' | 'exchange' | 'expected' | 'actual'>;

export function against(row: string, shown: Shown, clause?: string): Violation {
  const { id, level, requirement, ...rest } = loadCatalogue().find(row);
  const says = clause ?? clauseOf({ id, level, requirement, ...rest });
  return { ...shown, level, row: id, clause: says, kind: requirement.id };
}

/** True for a reset connection, which may be a restart: only one that resets every repetition has a defect. */
export function isBroken({ failure }: Exchange): boolean {
  return failure?.kind === 'reset';
}

/** True if both are probably the same defect: the same kind of act violates the same clause. */
export function sameKind(one: Violation, other: Violation): boolean {
  return one.kind === other.kind && one.clause === other.clause;
}

/** Returns level, row and clause of a violation by its row. A row that is not in the catalogue counts as none. */
export function byRow(
  row: string | null,
  clause: string,
): Pick<Violation, 'level' | 'row' | 'clause'> {
  const known = loadCatalogue().checks.find(({ id }) => id === row);
  return { level: known?.level ?? 'MUST', row: known?.id ?? null, clause };
}

/** Returns the clause that a row rests on: the first clause, else the first document or gap. */
export function clauseOf({ basis: { citations } }: CheckDefinition): string {
  const first = (kind: string) => citations.find((one) => one.kind === kind)?.id;
  return first('clause') ?? first('document') ?? first('gap') ?? '';
}

/** Returns the only row that requires a value to be served; null if there is none or several. */
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
