import type { Defect } from '../../reference/seams.ts';
import { chronicled } from './chronicle.ts';
import type { Situation } from './situations.ts';
import type { Witness } from './witness.ts';
import type { Wrong } from './wrongs.ts';

/** The kinds of situation in which something goes wrong. */
export const groups = ['after', 'beside', 'one-in', 'node', 'load', 'restart'] as const;
export type Group = (typeof groups)[number];

/** A gateway that does one thing wrong, and only in one situation: no single answer shows it. */
export interface HistoryFault extends Defect {
  readonly group: Group;
  readonly situation: Situation;
  readonly wrong: Wrong;
  /** The shortest history that shows it: what its definition needs. */
  readonly witness: Witness;
}

/** One decision, wrong in one situation. */
export function planted(
  group: Group,
  situation: Situation,
  wrong: Wrong,
  witness: Witness,
): HistoryFault {
  const { id, what, handlingMs = 0 } = situation;
  return {
    id: `histories/${group}.${id}.${wrong.id}`,
    what: `${what[0]?.toUpperCase()}${what.slice(1)}, ${wrong.what}.`,
    ...{ group, situation, wrong, witness },
    override: chronicled((seen) => wrong.override(situation.when(seen), seen), handlingMs),
  };
}
