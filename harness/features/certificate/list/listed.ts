/** A bundle in a list. The statements of a rejected one are left out. */
export interface ListedBundle {
  /** Name of its folder. */
  readonly name: string;
  /** `VERIFIED`, `INTACT`, `NONCONFORMANT`, `REFUSED`, `REJECTED` */
  readonly word: string;
  /** Level of trust, such as `signed`. Null if the bundle is rejected. */
  readonly level: string | null;
  readonly about: AboutBundle | null;
  /** Reasons why it is rejected or refused. Empty otherwise. */
  readonly problems: readonly string[];
  /** Path of its report relative to the list, or null if there is none. */
  readonly report: string | null;
}

interface AboutBundle {
  readonly subject: string;
  /** Address of the gateway, or the command of the client. */
  readonly place: string;
  /** `profile chat; single-region`, and the number of judged MUSTs. */
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
