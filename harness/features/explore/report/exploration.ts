import type { Citation, SpecificationVersion } from '../../../kernel/core/index.ts';
import type { Explored, Find } from '../finds.ts';
import type { Violation } from '../violation.ts';

/** Result of an exploration, for people and for programs: `fixtures/exploration.schema.json`. */
export interface Exploration extends Readonly<Omit<Explored, 'unknown' | 'finds' | 'givenUp'>> {
  readonly suiteVersion: string;
  readonly specification: SpecificationVersion;
  readonly target: { readonly name: string; readonly regions: readonly string[] };
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly verdict: ExplorationVerdict;
  readonly incomplete: string | null;
  readonly undecided: number;
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
export interface ToldFind
  extends Readonly<Pick<Find, 'times' | 'again' | 'foundIn' | 'foundActs'>>,
    Pick<Violation, 'kind' | 'level' | 'expected' | 'actual'> {
  readonly row: { readonly id: string; readonly text: string } | null;
  readonly source: Citation;
  /** True if a bound was reached before the history was shortened completely and its rate measured. */
  readonly cut: boolean;
  readonly acts: readonly ToldAct[];
  readonly script: string;
}

export interface ToldAct {
  readonly label: string;
  readonly step: number;
  readonly actor: string;
  readonly region: string;
  /** Act such as `lookup of 1, by path`. */
  readonly what: string;
  /** Outcome such as `served`, `refused, 404`, `undecided: …`. */
  readonly came: string;
  /** Outcome that the specification requires, and the clause; null if it requires none. */
  readonly required: { readonly outcome: string; readonly clause: string } | null;
  readonly shows: boolean;
  /** Key of its exchange; null if it was not sent, because its response was never created. */
  readonly exchange: string | null;
  readonly began: number;
  readonly ended: number;
}
