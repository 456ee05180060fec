import type { Citation, Level, Seen, SpecificationVersion } from '../../../kernel/core/index.ts';

/** Result of an exploration, for people and for programs: `fixtures/exploration.schema.json`. */
export interface Exploration {
  readonly suiteVersion: string;
  readonly specification: SpecificationVersion;
  readonly target: { readonly name: string; readonly regions: readonly string[] };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Duration, or null if the recording was cut short and does not say. */
  readonly durationMs: number | null;
  readonly seed: number;
  readonly verdict: ExplorationVerdict;
  /** Reason why not everything was explored, or null if the exploration came to its end. */
  readonly incomplete: string | null;
  /** Histories that were drawn, without those for shortening. */
  readonly histories: number;
  /** Number of these that show a find, or were decided in every act. */
  readonly decided: number;
  readonly acts: number;
  /** Acts of which nothing can be said: time-outs and the like. */
  readonly undecided: number;
  readonly requests: number;
  readonly generations: number;
  readonly finds: readonly ToldFind[];
  /** Sources that finds and acts cite: clauses of the specification, and native documents. */
  readonly sources: readonly Citation[];
}

export type ExplorationVerdict =
  /** A MUST is broken. */
  | 'broken'
  /** Nothing but what the specification recommends is. */
  | 'nothing-found'
  /** Nothing was found, and not all was explored, or nothing was decided. */
  | 'undecided';

/** Violation of the specification, with the shortest history that has shown it. */
export interface ToldFind {
  /** Kind of violation, independent of the history that shows it. */
  readonly kind: string;
  readonly level: Level;
  /** The check of the catalogue that judges this in a run; null: none judges just this. */
  readonly row: { readonly id: string; readonly text: string } | null;
  readonly source: Citation;
  readonly expected: string;
  readonly actual: string;
  /** Number of drawn histories that have shown it. */
  readonly times: number;
  /**
   * Further tries of this very history, and how many have shown it. A try with an undecided act does not
   * count.
   */
  readonly again: Seen;
  /** The one that has shown it first, and how many acts it had. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** A bound was reached before it was made as short as it can be, and known how often it shows. */
  readonly cut: boolean;
  readonly acts: readonly ToldAct[];
  /** Shell program that repeats it with `curl`. */
  readonly script: string;
}

/** Act of a history, and its outcome. */
export interface ToldAct {
  /** `2`; of those that go side by side `2a`, `2b`. */
  readonly label: string;
  /** Acts with the same number go side by side. */
  readonly step: number;
  /** Name of the key in the target file. */
  readonly actor: string;
  readonly region: string;
  /** `lookup of 1, by path` */
  readonly what: string;
  /** `served`, `refused, 404`, `undecided: …`. */
  readonly came: string;
  /** Outcome that the specification requires, and the clause; null if it requires none. */
  readonly required: { readonly outcome: string; readonly clause: string } | null;
  /** True if the act shows the find. */
  readonly shows: boolean;
  /** The key of its exchange; null: it was not sent, because what it acts on was never made. */
  readonly exchange: string | null;
  /** Milliseconds since the first act began. */
  readonly began: number;
  readonly ended: number;
}
