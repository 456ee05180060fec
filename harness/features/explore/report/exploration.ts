import type { Citation, Level, Seen, SpecificationVersion } from '../../../kernel/core/index.ts';

/** Result of an exploration, for people and for programs: `fixtures/exploration.schema.json`. */
export interface Exploration {
  readonly suiteVersion: string;
  readonly specification: SpecificationVersion;
  readonly target: { readonly name: string; readonly regions: readonly string[] };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Duration in milliseconds; null if the recording was truncated and has no end. */
  readonly durationMs: number | null;
  readonly seed: number;
  readonly verdict: ExplorationVerdict;
  /** Reason why the exploration is incomplete, or null. */
  readonly incomplete: string | null;
  /** Number of drawn histories, without those for shortening. */
  readonly histories: number;
  /** Number of these that show a find, or were decided in every act. */
  readonly decided: number;
  readonly acts: number;
  /** Number of undecided acts, for example timeouts. */
  readonly undecided: number;
  readonly requests: number;
  readonly generations: number;
  readonly finds: readonly ToldFind[];
  /** Sources that finds and acts cite: clauses of the specification, and native documents. */
  readonly sources: readonly Citation[];
}

export type ExplorationVerdict =
  /** A requirement at level MUST is violated. */
  | 'broken'
  /** No violation, except of recommendations. */
  | 'nothing-found'
  /** No violation, but the exploration is incomplete or decided nothing. */
  | 'undecided';

/** Violation of the specification, with the shortest history that shows it. */
export interface ToldFind {
  /** Kind of violation, independent of the history that shows it. */
  readonly kind: string;
  readonly level: Level;
  /** The catalogue's check for the same requirement in a run; null for none. */
  readonly row: { readonly id: string; readonly text: string } | null;
  readonly source: Citation;
  readonly expected: string;
  readonly actual: string;
  /** Number of drawn histories that have shown it. */
  readonly times: number;
  /**
   * Further attempts of this exact history, and how many showed it. An attempt with an undecided act does not
   * count.
   */
  readonly again: Seen;
  /** Number of the first history that showed it, and the number of that history's acts. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** True if a bound was reached before the history was shortened completely and its rate measured. */
  readonly cut: boolean;
  readonly acts: readonly ToldAct[];
  /** Shell program that repeats it with `curl`. */
  readonly script: string;
}

/** Act of a history, and its outcome. */
export interface ToldAct {
  /** Label such as `2`; for concurrent acts, `2a`, `2b`. */
  readonly label: string;
  /** Number of the step, which concurrent acts share. */
  readonly step: number;
  /** Name of the key in the target file. */
  readonly actor: string;
  readonly region: string;
  /** Act such as `lookup of 1, by path`. */
  readonly what: string;
  /** Outcome such as `served`, `refused, 404`, `undecided: …`. */
  readonly came: string;
  /** Outcome that the specification requires, and the clause; null if it requires none. */
  readonly required: { readonly outcome: string; readonly clause: string } | null;
  /** True if the act shows the find. */
  readonly shows: boolean;
  /** Key of its exchange; null if it was not sent, because its response was never created. */
  readonly exchange: string | null;
  /** Milliseconds since the start of the first act. */
  readonly began: number;
  readonly ended: number;
}
