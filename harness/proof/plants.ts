import { readFileSync } from 'node:fs';
import { codeFile } from '../kernel/core/index.ts';
import type { Fault } from './faults/fault.ts';
import type { Override } from './planting.ts';

/** A fault, or a variant that breaks nothing. */
interface FaultOrVariant extends Fault {
  readonly warns?: readonly string[];
}

/** Members that a table provides; the values of all but `what` are lists. */
type Row = Pick<FaultOrVariant, 'what' | 'breaks' | 'shownBy' | 'warns'>;

/** An override, or one with further members of the fault. */
type RowOverride = Override | Omit<FaultOrVariant, 'id' | keyof Row>;

/** Overrides by the id of a row. */
type RowOverrides = Readonly<Record<string, RowOverride>>;

export interface Plants {
  planted(rows: RowOverrides): readonly FaultOrVariant[];
  /** Plants the same rows for several values, which fill the placeholders of ids and texts. */
  each<const Item extends Filling>(
    items: readonly Item[],
    rows: (item: Item) => RowOverrides,
  ): readonly FaultOrVariant[];
  /** Returns the ids of rows that were not planted. */
  unplanted(): readonly string[];
}

type Filling = string | number | object;

/** @param name name of the table: `harness/proof/<name>.txt` */
export function plantsIn(name: 'faults' | 'variants'): Plants {
  const file = `harness/proof/${name}.txt`;
  const table = readTable(readFileSync(codeFile(`harness/proof/${name}`, '.txt'), 'utf8'));
  const used = new Set<string>();
  const plant = (rows: RowOverrides, item: Filling): readonly FaultOrVariant[] =>
    Object.entries(rows).map(([id, given]) => {
      const row = table.get(id);
      if (row === undefined) throw new Error(`${file} has no row ${id}`);
      used.add(id);
      const members = typeof given === 'function' ? { override: given } : given;
      return { id: filled(id, item), ...filledRow(row, item), ...members };
    });
  return {
    planted: (rows) => plant(rows, ''),
    each: (items, rows) => items.flatMap((item) => plant(rows(item), item)),
    unplanted: () => [...table.keys()].filter((id) => !used.has(id)),
  };
}

function readTable(text: string): ReadonlyMap<string, Row> {
  const rows = text.matchAll(/^([^\s#]\S*)(?: (.+))?\n {2}(.+)$/gm);
  return new Map([...rows].map(([, id = '', lists = '', what = '']) => [id, readRow(lists, what)]));
}

/** @param lists syntax `breaks a b shownBy c` */
function readRow(lists: string, what: string): Row {
  const words = (name: string): readonly string[] =>
    new RegExp(`\\b${name} (.+?)(?= (?:shownBy|warns) |$)`).exec(lists)?.[1]?.split(' ') ?? [];
  const [breaks, shownBy, warns] = [words('breaks'), words('shownBy'), words('warns')];
  return {
    ...{ what, breaks },
    ...(shownBy.length > 0 ? { shownBy } : {}),
    ...(warns.length > 0 ? { warns } : {}),
  };
}

function filledRow({ what, breaks, ...others }: Row, item: Filling): Row {
  return {
    ...others,
    what: filled(what, item),
    breaks: breaks.flatMap((check) => filled(check, item).split(' ')),
  };
}

function filled(text: string, item: Filling): string {
  const members: ReadonlyMap<string, unknown> = new Map(
    typeof item === 'object' ? Object.entries(item) : [['', item]],
  );
  return text.replace(/\{(\w*)\}/g, (whole, name: string) => String(members.get(name) ?? whole));
}
