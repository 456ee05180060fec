import { type CheckResult, type CheckState, checkStates, placeOf } from '../core/index.ts';
import { shownStates } from './html/states.ts';
import { stateWords } from './words.ts';

/** Number of checks of an area in each state. */
export type StateCounts = ReadonlyMap<CheckState, number>;

/** Counts the checks that share a key, by their states. */
export function stateCounts<Key extends string>(
  checks: readonly CheckResult[],
  keyOf: (place: ReturnType<typeof placeOf>) => Key,
): ReadonlyMap<Key, StateCounts> {
  const all = new Map<Key, Map<CheckState, number>>();
  for (const { id, verdict } of checks) {
    const key = keyOf(placeOf(id));
    const counts = all.get(key) ?? new Map<CheckState, number>();
    counts.set(verdict.state, (counts.get(verdict.state) ?? 0) + 1);
    all.set(key, counts);
  }
  return all;
}

/** Passed and applicable checks: `12`, or `11/12`. Null if no check applies. */
export function holdingIn(counts: StateCounts): string | null {
  const count = (...states: CheckState[]): number =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  const holds = count('pass', 'note');
  const applying = holds + count('fail', 'warn', 'inconclusive', 'error', 'untestable');
  if (applying === 0) return null;
  return holds === applying ? String(holds) : `${holds}/${applying}`;
}

/**
 * Returns the state that determines the colour of a cell. Notes, excluded checks and checks that do not apply do
 * not change the colour of passed ones.
 */
export function toneOf(counts: StateCounts): CheckState {
  const worst = shownStates.find((state) => counts.has(state)) ?? 'pass';
  const mild: readonly CheckState[] = ['note', 'not-applicable', 'excluded'];
  return counts.has('pass') && mild.includes(worst) ? 'pass' : worst;
}

/** `11 passed, 1 failed` */
export function cellInWords(counts: StateCounts): string {
  return checkStates
    .filter((state) => counts.has(state))
    .map((state) => `${counts.get(state)} ${stateWords[state]}`)
    .join(', ');
}
