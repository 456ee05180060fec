import type {
  Exchange,
  Inconclusive,
  NothingToJudge,
  SubjectPlan,
} from '../../../harness/index.ts';

/** Reason why there is no response: it was not made, or its region need not have the model. */
export type Unmade = Inconclusive | NothingToJudge;

export function isUnmade(made: Made | Unmade): made is Unmade {
  return made instanceof Error;
}

/** A response that acts are tried on. */
export interface Made {
  readonly region: string;
  readonly model: string;
  readonly id: string;
  /** Its creation; of a background response the lookup that showed its end. */
  readonly created: Exchange;
  /** The owner's lookup in the region that made it; of one that was not stored its creation. */
  readonly seen: Exchange;
  /** A word of its input that stands nowhere else. */
  readonly word: string;
  /** Its output. */
  readonly text: string;
  /** The id of a message of its output. */
  readonly item: string | null;
}

export interface Subject {
  readonly plan: SubjectPlan;
  readonly made: Made | Unmade;
}
