import type { Citation, Level, Seen, SpecificationVersion } from '../../core/index.ts';

/** What exploring a gateway came to, for people and for programs: `fixtures/exploration.schema.json`. */
export interface Exploration {
  readonly suiteVersion: string;
  readonly specification: SpecificationVersion;
  readonly target: { readonly name: string; readonly regions: readonly string[] };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Null: a recording that was cut short does not say it. */
  readonly durationMs: number | null;
  readonly seed: number;
  readonly verdict: ExplorationVerdict;
  /** Why nothing can be said of all that was to be explored; null: it came to its end. */
  readonly incomplete: string | null;
  /** Histories that were drawn; those for shortening are besides. */
  readonly histories: number;
  /** Of them, those that show something, or were decided in every act. */
  readonly decided: number;
  readonly acts: number;
  /** Acts of which nothing can be said: time-outs and the like. */
  readonly undecided: number;
  readonly requests: number;
  readonly generations: number;
  readonly finds: readonly ToldFind[];
  /** What finds and acts name: clauses of the specification, and native documents. */
  readonly sources: readonly Citation[];
}

export type ExplorationVerdict =
  /** A MUST is broken. */
  | 'broken'
  /** Nothing but what the specification recommends is. */
  | 'nothing-found'
  /** Nothing was found, and not all was explored, or nothing was decided. */
  | 'undecided';

/** What breaks the specification, by the shortest history that has shown it. */
export interface ToldFind {
  /** What went wrong, whichever history shows it. */
  readonly kind: string;
  readonly level: Level;
  /** The check of the catalogue that judges this in a run; null: none judges just this. */
  readonly row: { readonly id: string; readonly text: string } | null;
  readonly source: Citation;
  readonly expected: string;
  readonly actual: string;
  /** How many of the drawn histories have shown it. */
  readonly times: number;
  /** How many further tries of this very history have shown it; one in which an act was not decided is none. */
  readonly again: Seen;
  /** The one that has shown it first, and how many acts it had. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** A bound was reached before it was made as short as it can be, and known how often it shows. */
  readonly cut: boolean;
  readonly acts: readonly ToldAct[];
  /** What repeats it: a program for a shell, with `curl`. */
  readonly script: string;
}

/** An act of a history, and what came of it. */
export interface ToldAct {
  /** `2`; of those that go side by side `2a`, `2b`. */
  readonly label: string;
  /** Acts with the same number go side by side. */
  readonly step: number;
  /** By the key of the target file. */
  readonly actor: string;
  readonly region: string;
  /** `lookup of 1, by path` */
  readonly what: string;
  /** `served`, `refused, 404`, `undecided: …`. */
  readonly came: string;
  /** What the specification says, and where; null: nothing. */
  readonly required: { readonly outcome: string; readonly clause: string } | null;
  /** It shows the find. */
  readonly shows: boolean;
  /** The key of its exchange; null: it was not sent, because what it acts on was never made. */
  readonly exchange: string | null;
  /** Milliseconds since the first act began. */
  readonly began: number;
  readonly ended: number;
}
