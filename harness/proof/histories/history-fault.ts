import type { Defect } from '../../reference/index.ts';
import type { Started } from '../nodes/two-nodes.ts';
import type { Chronicle } from './chronicle.ts';
import type { Situation } from './situations.ts';
import { oneServer, type Plant, type Stage } from './stages.ts';
import type { Witness } from './witness.ts';
import type { Wrong } from './wrongs.ts';

/** Kinds of situations in which a fault takes effect. */
export const groups = ['after', 'beside', 'one-in', 'later', 'node', 'load', 'restart'] as const;
type Group = (typeof groups)[number];

/** A gateway with one defect in only one situation, so that no single answer shows it. */
export interface HistoryFault {
  readonly id: string;
  /** Description of the difference, in one sentence. */
  readonly what: string;
  readonly group: Group;
  /** Shortest history that shows it, by its definition. */
  readonly witness: Witness;
  /** Starts a gateway with the fault. */
  start(): Promise<Started>;
  /** Stage on which it can be observed, together with other faults of that stage. */
  readonly stage: Stage;
  /**
   * Milliseconds until an act is visible, as the owner declares, for exploration with all models, protocols and
   * probes. Null for exploration with only the resources of stored responses, and without lag.
   */
  readonly settleMs: number | null;
  /** Plants an observer in place of the fault, which calls `met` each time that the fault would show. */
  watched(met: () => void): Plant;
}

export function planted(
  group: Group,
  situation: Situation,
  wrong: Wrong,
  witness: Witness,
  stage = oneServer(situation.handlingMs),
): HistoryFault {
  const { id, what } = situation;
  return {
    id: `histories/${group}.${id}.${wrong.id}`,
    what: `${capital(what)}, ${wrong.what}.`,
    ...{ group, witness, stage, settleMs: stage.settleMs ?? null },
    start: () => stage.start((seen) => wrong.override(situation.when(seen), seen)),
    watched: (met) => (seen) => {
      const is = situation.when(seen);
      return wrong.override((...given) => {
        if (is(...given)) met();
        return false;
      }, seen);
    },
  };
}

/** Wrong behaviour for a request, whether or not the request is about a response. */
export interface RequestDefect {
  readonly id: string;
  /** Clause for a sentence, without its end. */
  readonly what: string;
  /** @param shows called each time that the defect would show; false suppresses it */
  override(shows: () => boolean, seen: Chronicle): Defect['override'];
}

export function plantedDefect(
  group: Group,
  defect: RequestDefect,
  witness: Witness,
  stage: Stage,
): HistoryFault {
  return {
    id: `histories/${group}.${defect.id}`,
    what: `${capital(defect.what)}.`,
    ...{ group, witness, stage, settleMs: stage.settleMs ?? null },
    start: () => stage.start((seen) => defect.override(() => true, seen)),
    watched: (met) => (seen) =>
      defect.override(() => {
        met();
        return false;
      }, seen),
  };
}

export function capital(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
