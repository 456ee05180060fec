import { type Fault, faults } from '../reference/faults/index.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import { referenceTarget } from '../target/reference.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { type Killing, killing, unbroken, type Verdicts } from './matrix.ts';

/** What proving came to. */
export interface Proof {
  /** By the id of the fault. */
  readonly verdicts: ReadonlyMap<string, Verdicts>;
  readonly matrix: readonly Killing[];
  /** MUSTs that no fault turned red; empty when only some faults were asked for. */
  readonly unbroken: readonly string[];
}

const soundId = 'the sound reference gateway';

/** Judges the reference gateway with each of these faults, and without any. */
export async function prove(
  chosen: readonly Fault[],
  options: Omit<JudgeOptions, 'selected'>,
): Promise<Proof> {
  const subjects = [
    { id: soundId, start: () => referenceTarget() },
    ...chosen.map((fault) => ({
      id: fault.id,
      start: () => referenceTarget({ defect: fault }),
    })),
  ];
  const judged = await judgeTargets(subjects, { ...options, selected: null });
  const sound = judged.get(soundId) ?? new Map();
  const catalogue = loadCatalogue();
  const levels = new Map(catalogue.checks.map(({ id, level }) => [id, level]));
  const matrix = chosen.flatMap((fault) => {
    const faulty = judged.get(fault.id);
    return faulty === undefined
      ? []
      : [killing(fault, sound, faulty, (check) => levels.get(check) ?? 'MAY')];
  });
  const musts = catalogue.checks.filter(({ level }) => level === 'MUST').map(({ id }) => id);
  return {
    verdicts: judged,
    matrix,
    unbroken: chosen.length === faults.length ? unbroken(musts, matrix) : [],
  };
}
