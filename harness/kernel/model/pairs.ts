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

/** Rows that try every pair of values that can meet. */
interface Pairs {
  /** One row for each slot, in their order, and the further ones that are needed. */
  readonly rows: readonly Chosen[];
  /** Pairs that are to be tried, in words. */
  readonly pairs: readonly string[];
  /** Pairs that no row has. */
  readonly untried: readonly string[];
}

/** One value of one choice. */
type ChosenValue = readonly [choice: string, value: string];

/**
 * Fills the free choices of rows that stand anyway, and adds as few rows as it can. Greedy and deterministic: a
 * recording, a shard and a rerun agree.
 *
 * @param meet false for two values that cannot meet
 * @param wanted true for a pair that is to be tried
 * @param further stands for each further row
 */
export function pairwiseRows(given: {
  readonly choices: readonly FreeChoice[];
  readonly slots: readonly StandingRow[];
  readonly further: StandingRow;
  meet(one: ChosenValue, other: ChosenValue): boolean;
  wanted(one: ChosenValue, other: ChosenValue): boolean;
}): Pairs {
  const values = given.choices.flatMap(({ name, values }, choice) =>
    values.map((value) => ({ name, value, choice })),
  );
  const size = values.length;
  const together = new Uint8Array(size * size);
  const open = new Uint8Array(size * size);
  /** Number of open pairs of each value: one that is in some is worth more than one that is in none. */
  const left = new Array<number>(size).fill(0);
  const pairs: (readonly [number, number])[] = [];
  for (const [a, one] of values.entries()) {
    for (const [b, other] of values.entries()) {
      if (a >= b || one.choice === other.choice) continue;
      const pair = [[one.name, one.value] as const, [other.name, other.value] as const] as const;
      if (!given.meet(...pair)) continue;
      together[a * size + b] = together[b * size + a] = 1;
      if (!given.wanted(...pair)) continue;
      pairs.push([a, b]);
      setOpen(a, b, 1);
    }
  }

  function setOpen(a: number, b: number, to: 0 | 1): void {
    const change = to - (open[a * size + b] ?? 0);
    for (const one of [a, b]) left[one] = (left[one] ?? 0) + change;
    open[a * size + b] = open[b * size + a] = to;
  }

  /** Returns the gain of a value in a row, or null if it cannot be there. */
  function gainOf(value: number, row: readonly number[]): number | null {
    let now = 0;
    for (const other of row) {
      if (together[value * size + other] === 0) return null;
      now += open[value * size + other] ?? 0;
    }
    return now > 0 ? now : (left[value] ?? 0) / (pairs.length + 1);
  }

  function filled(slot: StandingRow, begun: Chosen): Chosen {
    const row = values.flatMap(({ name, value }, n) => (begun[name] === value ? n : []));
    const free = values.flatMap(({ name, value }, n) =>
      !(name in begun) && slot.allows(name, value) ? n : [],
    );
    const made = new Set(row.map((n) => values[n]?.choice));
    for (;;) {
      let best: number | null = null;
      let most = 0;
      for (const value of free) {
        if (made.has(values[value]?.choice)) continue;
        const gain = gainOf(value, row) ?? 0;
        if (gain > most) [best, most] = [value, gain];
      }
      if (best === null) break;
      row.push(best);
      made.add(values[best]?.choice);
    }
    for (const a of row) for (const b of row) if (open[a * size + b] === 1) setOpen(a, b, 0);
    const plain = given.choices.map(({ name, values: [first = ''] }) => [name, first] as const);
    const chosen = row.map((n) => [values[n]?.name ?? '', values[n]?.value ?? ''] as const);
    return Object.fromEntries([...plain, ...chosen]);
  }

  const rows = given.slots.map((slot) => filled(slot, slot.fixed));
  const untried: (readonly [number, number])[] = [];
  for (const pair of pairs) {
    const [a, b] = pair;
    if (open[a * size + b] === 0) continue;
    const both = pair.flatMap((n) => values[n] ?? []);
    if (both.every(({ name, value }) => given.further.allows(name, value))) {
      const begun = both.map(({ name, value }) => [name, value] as const);
      rows.push(filled(given.further, { ...given.further.fixed, ...Object.fromEntries(begun) }));
    } else untried.push(pair);
  }
  const inWords = (pair: readonly number[]): string =>
    pair.map((n) => `${values[n]?.name}=${values[n]?.value}`).join(' ');
  return { rows, pairs: pairs.map(inWords), untried: untried.map(inWords) };
}
