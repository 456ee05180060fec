import type { Defect } from '../../reference/index.ts';
import type { Started } from '../nodes/two-nodes.ts';
import type { Chronicle } from './chronicle.ts';
import type { Situation } from './situations.ts';
import { oneServer, type Plant, type Stage } from './stages.ts';
import type { Witness } from './witness.ts';
import type { Wrong } from './wrongs.ts';

/** The kinds of situation in which something goes wrong. */
export const groups = ['after', 'beside', 'one-in', 'later', 'node', 'load', 'restart'] as const;
export type Group = (typeof groups)[number];

/** A gateway that does one thing wrong, and only in one situation: no single answer shows it. */
export interface HistoryFault {
  readonly id: string;
  /** Description of the difference, in one sentence. */
  readonly what: string;
  readonly group: Group;
  /** The shortest history that shows it: what its definition needs. */
  readonly witness: Witness;
  /** A gateway that has it. */
  start(): Promise<Started>;
  /** Stage on which it can be watched, together with other faults of that stage. */
  readonly stage: Stage;
  /**
   * Milliseconds that an act may take to show, as the owner says; explored with all models, protocols and probes.
   * Null: explored with what stored responses need alone, and nothing lags.
   */
  readonly settleMs: number | null;
  /** Plants a watcher in place of the fault. It calls `met` each time that the fault would show. */
  watched(met: () => void): Plant;
}

/** One decision, wrong in one situation. */
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
  /** In a sentence without its end. */
  readonly what: string;
  /** @param shows to be asked each time that it would show; false: it is not to */
  override(shows: () => boolean, seen: Chronicle): Defect['override'];
}

/** A defect, whose situation is its own. */
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
