import { type Fault, faults } from '../reference/faults/index.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { covers, type Killing, killing, unbroken, type Verdicts } from './matrix.ts';
import { type Subject, sound } from './subject.ts';

/** What proving came to. */
export interface Proof {
  /** By the id of the fault. */
  readonly verdicts: ReadonlyMap<string, Verdicts>;
  readonly matrix: readonly Killing[];
  /** MUSTs that no fault turned red; empty when only some faults were asked for, or judged. */
  readonly unbroken: readonly string[];
}

export interface ProveOptions extends JudgeOptions {
  /** Judge every fault by every check, and not only the first of each kind. */
  readonly whole?: boolean;
}

/** Judges the reference gateway with each of these faults, and without any. */
export async function prove(chosen: readonly Fault[], options: ProveOptions): Promise<Proof> {
  const catalogue = loadCatalogue();
  const ids = catalogue.checks.map(({ id }) => id);
  const first = options.whole === true ? new Set(chosen) : firstOfEachKind(chosen);
  const subjects: Subject[] = [
    sound,
    ...chosen.map(
      (fault): Subject => ({
        id: fault.id,
        gateway: { kind: 'fault', id: fault.id },
        selected: first.has(fault) ? null : rowsOf(fault, ids),
      }),
    ),
  ];
  const judged = await judgeTargets(subjects, options);
  const before = judged.get(sound.id) ?? new Map();
  const levels = new Map(catalogue.checks.map(({ id, level }) => [id, level]));
  const matrix = chosen.flatMap((fault) => {
    const faulty = judged.get(fault.id);
    if (faulty === undefined || faulty.size === 0) return [];
    return [killing(fault, before, faulty, (check) => levels.get(check) ?? 'MAY')];
  });
  const musts = catalogue.checks.filter(({ level }) => level === 'MUST').map(({ id }) => id);
  return {
    verdicts: judged,
    matrix,
    unbroken: matrix.length === faults.length ? unbroken(musts, matrix) : [],
  };
}

/**
 * Many faults are the same mistake at another endpoint or operation. The first of each kind is judged
 * by every check; its siblings by the rows that they break, where they could disturb their neighbours.
 */
function firstOfEachKind(chosen: readonly Fault[]): Set<Fault> {
  const kinds = new Map<string, Fault>();
  for (const fault of chosen) {
    const area = fault.id.slice(0, fault.id.indexOf('.'));
    const kind = [area, ...new Set(fault.breaks.map(rowOf))].join(' ');
    if (!kinds.has(kind)) kinds.set(kind, fault);
  }
  return new Set(kinds.values());
}

/** The checks of every row that a fault breaks or may disturb. */
export function rowsOf({ breaks, mayAlso = [] }: Fault, ids: readonly string[]): string[] {
  const rows = [...breaks, ...mayAlso].map(rowOf);
  return ids.filter((id) => covers(rows, id));
}

function rowOf(id: string): string {
  return id.replace(/:.*/, '');
}
