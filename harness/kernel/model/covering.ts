/**
 * Selects few cells that cover as much as all of them. Greedy: the next cell is always the one that covers most of
 * the rest. Deterministic, because no verdict may depend on a seed.
 *
 * @param covers returns the tuples that a cell covers, as words that are compared
 * @param given cells that are tried anyway
 */
export function covering<Cell>(
  cells: readonly Cell[],
  covers: (cell: Cell) => readonly string[],
  given: readonly Cell[] = [],
): readonly Cell[] {
  // Numbers are compared faster than words.
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const isCovered: boolean[] = [];
  const cover = (some: readonly number[]): void => {
    for (const one of some) isCovered[one] = true;
  };
  for (const cell of given) cover(covers(cell).map(numberOf));
  const left = (one: Candidate<Cell>): number => {
    one.open = one.open.filter((number) => isCovered[number] !== true);
    return one.open.length;
  };
  // Candidates by the number of tuples that they may still cover. It never grows.
  const byGain: Candidate<Cell>[][] = [];
  for (const cell of cells) keep(byGain, { cell, open: [...new Set(covers(cell).map(numberOf))] });
  const chosen: Cell[] = [];
  for (let gain = byGain.length - 1; gain > 0; gain--) {
    // A postponed candidate moves to a lower list, so this list does not grow.
    for (const one of byGain[gain] ?? []) {
      if (left(one) < gain) {
        keep(byGain, one);
        continue;
      }
      chosen.push(one.cell);
      cover(one.open);
    }
  }
  return chosen;
}

interface Candidate<Cell> {
  readonly cell: Cell;
  open: number[];
}

function keep<Cell>(byGain: Candidate<Cell>[][], one: Candidate<Cell>): void {
  const place = byGain[one.open.length] ?? [];
  place.push(one);
  byGain[one.open.length] = place;
}

/** Returns every choice of `strength` values of a cell, in words. */
export function tuplesOf(values: Readonly<Record<string, string>>, strength: number): string[] {
  const named = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const tuples: string[] = [];
  const choose = (from: number, left: number, before: string): void => {
    if (left === 0) tuples.push(before);
    else for (let n = from; n < named.length; n++) choose(n + 1, left - 1, `${before}${named[n]} `);
  };
  choose(0, strength, '');
  return tuples;
}
