import { loadCatalogue } from '../kernel/core/index.ts';
import { type Fault, faults } from './faults/index.ts';
import { type JudgeOptions, judgeTargets, quiet } from './judge-targets.ts';
import { isJudged, type Killing, killing, unbroken, type Verdicts } from './matrix.ts';
import {
  noOtherFailures,
  type OtherFailures,
  type RecordedFailures,
  readRecorded,
  rowOf,
  updated,
  writeRecorded,
} from './recorded-failures.ts';
import { type Subject, sound } from './subject.ts';

export interface Proof {
  /** Verdicts by the id of the fault. */
  readonly verdicts: ReadonlyMap<string, Verdicts>;
  readonly matrix: readonly Killing[];
  /** MUSTs that no fault broke; null if only some faults were selected or judged. */
  readonly unbroken: readonly string[] | null;
}

interface ProveOptions extends JudgeOptions {
  /** True to judge every fault by every check, instead of only the first in each area. */
  readonly whole?: boolean;
}

/**
 * Pace for gateways that are mostly judged by a few checks: they wait half of the time, and take little memory. A
 * batch ends with its slowest gateway, so that fewer batches wait less.
 */
const paceOfFewChecks: Pick<JudgeOptions, 'window' | 'batch'> = { window: 8, batch: 600 };

/**
 * Judges the reference gateway with each of these faults, and without any. A fault that survives its checks, or
 * lacks recorded failures, is judged again by every check: a check on every exchange of a run, or on the whole
 * ledger, may need requests of other checks. What differs from the record then is judged once more with nothing
 * beside it, because a busy machine hides what needs a run that goes on.
 */
export async function prove(
  chosen: readonly Fault[],
  { whole = false, ...options }: ProveOptions,
): Promise<Proof> {
  const catalogue = loadCatalogue();
  const ids = catalogue.checks.map(({ id }) => id);
  const recorded = readRecorded(faults, ids);
  const checksFor = whole ? () => null : scopeOf(ids, recorded);
  const usual = whole ? {} : paceOfFewChecks;
  // Recorded failures may need more acts than the checks that the fault breaks.
  const subjects = chosen.map((fault) => ({
    ...subjectOf(fault, checksFor(fault)),
    ownActs: checksFor(fault) !== null && !recorded.get(fault.id)?.always.size,
  }));
  const verdicts = new Map(
    await judgeTargets([sound, ...subjects], {
      ...options,
      window: options.window ?? usual.window,
      batch: options.batch ?? usual.batch,
    }),
  );
  const levels = new Map(catalogue.checks.map(({ id, level }) => [id, level]));
  const levelOf = (check: string) => levels.get(check) ?? ('MAY' as const);
  const judged = (fault: Fault): readonly Killing[] => {
    const faulty = verdicts.get(fault.id);
    if (faulty === undefined || faulty.size === 0) return [];
    const before = verdicts.get(sound.id) ?? new Map();
    return [killing(fault, before, faulty, levelOf, recorded.get(fault.id))];
  };
  const again = async (open: readonly Fault[], pace: Partial<JudgeOptions>): Promise<void> => {
    const { onJudged: _, ...quietly } = options;
    const all = open.map((fault) => subjectOf(fault, null));
    for (const [id, one] of await judgeTargets(all, { ...quietly, ...pace })) verdicts.set(id, one);
  };
  const isUnseen = ({ survived, missing }: Killing) => survived.length + missing.length > 0;
  await again(
    chosen.filter((one) => checksFor(one) !== null && judged(one).some(isUnseen)),
    {},
  );
  const isOther = (one: Killing) => isUnseen(one) || one.unexpected.length > 0;
  await again(
    chosen.filter((one) => judged(one).some(isOther)),
    quiet,
  );
  const matrix = chosen.flatMap(judged);
  const countedMusts = catalogue.checks.filter(({ level }) => level === 'MUST').map(({ id }) => id);
  return {
    verdicts,
    matrix,
    unbroken: matrix.length === faults.length ? unbroken(countedMusts, matrix) : null,
  };
}

function subjectOf({ id }: Fault, selected: readonly string[] | null): Subject {
  return { id, gateway: { kind: 'fault', id }, selected };
}

/** Records the other failures. The records of checks that were not judged stay unchanged. */
export function recordOtherFailures({ matrix, verdicts }: Proof): void {
  const ids = loadCatalogue().checks.map(({ id }) => id);
  const found = matrix.map(({ fault, otherFailures }) => {
    const judged = verdicts.get(fault.id) ?? new Map();
    return { id: fault.id, failed: otherFailures, kept: ids.filter((id) => !isJudged(id, judged)) };
  });
  writeRecorded(updated(readRecorded(faults, ids), found), faults, ids);
}

/**
 * Returns the checks that each fault is judged by; null for all. Many faults are the same mistake at another
 * endpoint or operation. The first fault that breaks a row in an area of the catalogue is judged by every check.
 * The first that breaks certain rows is judged by all checks of their areas, and of the areas that it is known to
 * disturb. A later fault with the same rows is judged only by these rows and the checks that it always
 * disturbs. The result does not depend on the other selected faults.
 */
function scopeOf(
  ids: readonly string[],
  recorded: RecordedFailures,
): (fault: Fault) => readonly string[] | null {
  const inArea = firstInAreas();
  const ofKind = firstOfEachKind();
  return (fault) => {
    if (inArea.has(fault)) return null;
    const rows = rowsOf(fault, ids, recorded.get(fault.id));
    if (!ofKind.has(fault)) return rows;
    const areas = new Set(rows.map(areaOf));
    return ids.filter((id) => areas.has(areaOf(id)));
  };
}

/** Returns the first faults that break a row in each area of the catalogue. */
function firstInAreas(): Set<Fault> {
  const broken = new Set<string>();
  return new Set(
    faults.filter(({ breaks }) => {
      const before = broken.size;
      for (const id of breaks) broken.add(areaOf(id));
      return broken.size > before;
    }),
  );
}

/** Returns the first fault of each kind: faults of one area that break the same rows. */
function firstOfEachKind(): Set<Fault> {
  const kinds = new Map<string, Fault>();
  for (const fault of faults) {
    const kind = [areaOf(fault.id), ...new Set(fault.breaks.map(rowOf))].join(' ');
    if (!kinds.has(kind)) kinds.set(kind, fault);
  }
  return new Set(kinds.values());
}

/** Returns the checks of every row that a fault breaks, is known to disturb, or is shown by. */
export function rowsOf(
  { breaks, shownBy = [] }: Fault,
  ids: readonly string[],
  { always }: OtherFailures = noOtherFailures,
): string[] {
  const rows = new Set([...breaks, ...always, ...shownBy].map(rowOf));
  return ids.filter((id) => rows.has(rowOf(id)));
}

/** Returns the area of an id: `generation/responses-stream` of `generation/responses-stream.one-id`. */
function areaOf(id: string): string {
  return id.replace(/\..*/, '');
}
