/** A bundle in a list, as a reader sees it. What one says of itself that was rejected is left out. */
export interface ListedBundle {
  /** Of its folder. */
  readonly name: string;
  /** `VERIFIED`, `INTACT`, `NONCONFORMANT`, `REFUSED`, `REJECTED` */
  readonly word: string;
  /** What it is worth: `signed`; null where it is rejected. */
  readonly level: string | null;
  readonly about: AboutBundle | null;
  /** Why it is rejected or refused; none where it is not. */
  readonly problems: readonly string[];
  /** Its report, from the place of the list; null: there is none. */
  readonly report: string | null;
}

/** What a bundle that was not rejected says. */
export interface AboutBundle {
  readonly subject: string;
  /** Where it is, or how it was started. */
  readonly place: string;
  /** `profile chat; single-region`, and how many MUSTs were judged. */
  readonly covers: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** `exchanges.jsonl is missing, and 3 more problems` */
export function problemInWords({ problems: [first, ...more] }: ListedBundle): string {
  if (first === undefined) return '';
  if (more.length === 0) return first;
  return `${first}; and ${more.length} more ${more.length === 1 ? 'problem' : 'problems'}`;
}

/** `VERIFIED, signed` */
export function worthOf({ word, level }: Pick<ListedBundle, 'word' | 'level'>): string {
  return level === null || level === word.toLowerCase() ? word : `${word}, ${level}`;
}
