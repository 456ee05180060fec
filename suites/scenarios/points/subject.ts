import type { Exchange, Inconclusive, NothingToJudge } from '../../../harness/index.ts';
import type { SubjectPlan } from '../../../harness/kernel/model/index.ts';

/** Reason why a response does not exist: its creation failed, or its region need not have the model. */
export type Unmade = Inconclusive | NothingToJudge;

export function isUnmade(made: Made | Unmade): made is Unmade {
  return made instanceof Error;
}

/** A response that acts are tried on. */
export interface Made {
  readonly region: string;
  readonly model: string;
  readonly id: string;
  /** Creation of the response; for a background response, the lookup that showed its end. */
  readonly created: Exchange;
  /** Owner's lookup in the region that created it; for a response that is not stored, its creation. */
  readonly seen: Exchange;
  /** A word that occurs only in its input. */
  readonly word: string;
  /** Text of its output. */
  readonly text: string;
  /** Id of a message of its output. */
  readonly item: string | null;
  /** Stream of a run that is left open until it is deleted. */
  readonly stream?: Promise<Exchange>;
}

export interface Subject {
  readonly plan: SubjectPlan;
  readonly made: Made | Unmade;
}
