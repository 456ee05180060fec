import {
  type CheckState,
  type CheckVerdict,
  covers,
  isTransient,
  redStates,
} from '../kernel/core/index.ts';
import { isRecorded, noOtherFailures, type OtherFailures } from './recorded-failures.ts';

export type Verdicts = ReadonlyMap<string, CheckVerdict>;

/** Parts of a fault that the matrix uses. */
interface Declared {
  readonly id: string;
  readonly what: string;
  readonly breaks: readonly string[];
}

export interface Killing {
  readonly fault: Declared;
  /** Checks that noticed the fault, among those that it declares to break. */
  readonly killedBy: readonly string[];
  /** Checks that the fault should break, and that did not notice it. Empty if the fault is killed. */
  readonly survived: readonly string[];
  /** Other checks that failed, recorded or not. */
  readonly otherFailures: readonly string[];
  /** Other checks that failed without being recorded, and errors of Touchstone itself. */
  readonly unexpected: readonly Changed[];
  /** Recorded checks that did not fail now. */
  readonly missing: readonly string[];
  /** Checks that are undecided now, because the fault removed their precondition. */
  readonly undecided: readonly string[];
}

interface Changed {
  readonly check: string;
  readonly from: CheckState;
  readonly to: CheckVerdict;
}

/**
 * Compares the verdicts on a faulty gateway with those on the sound one.
 *
 * @param levelOf returns the level of a check, because a changed note of a MAY is not a failure
 * @param recorded other checks that are known to fail
 */
export function killing(
  fault: Declared,
  sound: Verdicts,
  faulty: Verdicts,
  levelOf: (check: string) => 'MUST' | 'SHOULD' | 'MAY',
  recorded: OtherFailures = noOtherFailures,
): Killing {
  const killedBy: string[] = [];
  const otherFailures: string[] = [];
  const unexpected: Changed[] = [];
  const undecided: string[] = [];
  for (const [check, to] of faulty) {
    const from = sound.get(check)?.state ?? 'excluded';
    const failed = redStates.has(to.state);
    const noticed = failed || (levelOf(check) === 'MAY' && to.state === 'note');
    if (to.state === from && !(noticed && levelOf(check) === 'MAY')) continue;
    if (noticed && to.state !== 'error' && covers(fault.breaks, check)) {
      killedBy.push(check);
    } else if (to.state === 'error') {
      unexpected.push({ check, from, to });
    } else if (failed) {
      otherFailures.push(check);
      if (!isRecorded(check, recorded)) unexpected.push({ check, from, to });
    } else if (to.state === 'inconclusive') {
      undecided.push(check);
    }
  }
  const survived = fault.breaks.filter((id) => !killedBy.some((check) => covers([id], check)));
  const missing = [...recorded.always].filter((check) => {
    const verdict = faulty.get(check);
    // A timeout does not show the fault, because the machine may be busy.
    if (verdict?.state === 'inconclusive' && isTransient(verdict.cause)) return false;
    const wasJudged = isJudged(check, faulty) || !sound.has(check);
    return wasJudged && !otherFailures.includes(check);
  });
  return { fault, killedBy, survived, otherFailures, unexpected, missing, undecided };
}

/** True if a run judged the check instead of leaving it out. */
export function isJudged(check: string, verdicts: Verdicts): boolean {
  return (verdicts.get(check)?.state ?? 'excluded') !== 'excluded';
}

/** Checks of Touchstone itself, which no gateway can break or earn. */
export const aboutOurselves: ReadonlySet<string> = new Set([
  'interruption/connection.harness-sends-once',
]);

/** Returns the MUSTs that no fault of the matrix broke. */
export function unbroken(countedMusts: readonly string[], matrix: readonly Killing[]): string[] {
  const broken = new Set(matrix.flatMap(({ killedBy }) => killedBy));
  return countedMusts.filter((check) => !broken.has(check) && !aboutOurselves.has(check));
}
