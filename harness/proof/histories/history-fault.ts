import type { Defect } from '../../reference/seams.ts';
import { chronicled } from './chronicle.ts';
import type { Group, Situation } from './situations.ts';
import type { Witness } from './witness.ts';
import type { Wrong } from './wrongs.ts';

/** A gateway that does one thing wrong, and only in one situation: no single answer shows it. */
export interface HistoryFault extends Defect {
  readonly group: Group;
  /** The shortest history that shows it: what its definition needs. */
  readonly witness: Witness;
  /** How often the witness has to be performed until it shows, at most. */
  readonly times: number;
}

/** One decision, wrong in one situation. */
export function planted(
  situation: Situation,
  wrong: Wrong,
  witness: Witness,
  times = 1,
): HistoryFault {
  const { group, handlingMs = 0, what } = situation;
  return {
    id: `histories/${group}.${situation.id}.${wrong.id}`,
    what: `${what}, ${wrong.what}.`,
    ...{ group, witness, times },
    override: chronicled((seen) => wrong.override(situation.when(seen), seen), handlingMs),
  };
}
