/** A choice that a request makes: one of several values. The first one is the plain choice. */
export interface FreeChoice {
  readonly name: string;
  readonly values: readonly string[];
}

/** The value of each choice that is made. */
export type Chosen = Readonly<Record<string, string>>;

/** A row that stands anyway. */
export interface StandingRow {
  /** Choices that it has already made. */
  readonly fixed: Chosen;
  /** True if it may make a choice in this way. */
  allows(choice: string, value: string): boolean;
}

type ChosenValue = readonly [choice: string, value: string];

/** Number of attempts: what one of them leaves to added rows counts for more in the next. */
const attempts = 10;

/**
 * Fills the free choices of rows that stand anyway, and adds as few rows as it can. Greedy and deterministic: a
 * recording, a shard and a rerun agree.
 *
 * @param meet false for two values that cannot meet
 * @param wanted true for a pair that is to be tried
 * @returns a row for each slot, in their order, and the further ones; in words the pairs that are to be tried, and
 *   those that no row has
 */
export function pairwiseRows(given: {
  readonly choices: readonly FreeChoice[];
  readonly slots: readonly StandingRow[];
  readonly further: StandingRow;
  meet(one: ChosenValue, other: ChosenValue): boolean;
  wanted(one: ChosenValue, other: ChosenValue): boolean;
}) {
  const values = given.choices.flatMap(({ name, values }) =>
    values.map((value) => [name, value] as const),
  );
  const named = (n: number): readonly ChosenValue[] => values.slice(n, n + 1);
  const size = values.length;
  const together = new Uint8Array(size * size);
  /** Weight of each pair, and that of the pairs that are open. */
  const weights = new Uint8Array(size * size).fill(1);
  const open = new Uint8Array(size * size);
  /** Weight of the open pairs of each value: one that is in some is worth more than one that is in none. */
  const left = new Array<number>(size).fill(0);
  const pairs: (readonly [number, number])[] = [];
  for (const [a, one] of values.entries()) {
    for (const [b, other] of values.entries()) {
      if (a >= b || one[0] === other[0] || !given.meet(one, other)) continue;
      together[a * size + b] = together[b * size + a] = 1;
      if (given.wanted(one, other)) pairs.push([a, b]);
    }
  }

  function setOpen(a: number, b: number, to: number): void {
    const change = to - (open[a * size + b] ?? 0);
    for (const one of [a, b]) left[one] = (left[one] ?? 0) + change;
    open[a * size + b] = open[b * size + a] = to;
  }

  /** Returns the gain of a value in a row: none if it cannot be there, or if its choice is made. */
  function gainOf(value: number, row: readonly number[]): number {
    let now = 0;
    for (const other of row) {
      if (together[value * size + other] === 0) return 0;
      now += open[value * size + other] ?? 0;
    }
    return now > 0 ? now : (left[value] ?? 0) / (pairs.length + 1);
  }

  function filled(slot: StandingRow, begun: Chosen): Chosen {
    const row = values.flatMap(([name, value], n) => (begun[name] === value ? n : []));
    const free = values.flatMap(([name, value], n) =>
      !(name in begun) && slot.allows(name, value) ? n : [],
    );
    for (;;) {
      let [best, most] = [-1, 0];
      for (const value of free) {
        const gain = gainOf(value, row);
        if (gain > most) [best, most] = [value, gain];
      }
      if (best < 0) break;
      row.push(best);
    }
    for (const a of row) for (const b of row) if (a < b) setOpen(a, b, 0);
    const plain = given.choices.map(({ name, values: [first = ''] }) => [name, first] as const);
    return Object.fromEntries([...plain, ...row.flatMap(named)]);
  }

  function attempt() {
    for (const [a, b] of pairs) setOpen(a, b, weights[a * size + b] ?? 1);
    const rows = given.slots.map((slot) => filled(slot, slot.fixed));
    const missed = pairs.filter(([a, b]) => open[a * size + b] !== 0);
    const untried: (readonly number[])[] = [];
    for (const [a, b] of missed) {
      if (open[a * size + b] === 0) continue;
      const both = [a, b].flatMap(named);
      if (both.every(([name, value]) => given.further.allows(name, value))) {
        rows.push(filled(given.further, { ...given.further.fixed, ...Object.fromEntries(both) }));
      } else untried.push([a, b]);
    }
    for (const [a, b] of missed) weights[a * size + b] = (weights[a * size + b] ?? 1) + 1;
    return { rows, untried };
  }

  const [fewest] = Array.from({ length: attempts }, attempt).toSorted(
    (one, other) => one.rows.length - other.rows.length,
  );
  const { rows, untried } = fewest ?? attempt();
  const inWords = (pair: readonly number[]) => pair.map((n) => values[n]?.join('=')).join(' ');
  return { rows, pairs: pairs.map(inWords), untried: untried.map(inWords) };
}
