import { type CheckState, type CheckVerdict, redStates } from '../core/verdict.ts';
import { covers as oneCovers } from './faults/fault.ts';

/** What a gateway with one defect was judged to be, check by check. */
export type Verdicts = ReadonlyMap<string, CheckVerdict>;

/** A fault as far as the matrix is concerned. */
export interface Declared {
  readonly id: string;
  readonly what: string;
  readonly breaks: readonly string[];
  readonly mayAlso?: readonly string[];
}

/** One line of the matrix. */
export interface Killing {
  readonly fault: Declared;
  /** The checks that noticed it, among those that it says to break. */
  readonly killedBy: readonly string[];
  /** What it says to break and no check noticed. Empty: the fault is killed. */
  readonly survived: readonly string[];
  /** Checks that blame the gateway for something that the fault does not say to break. */
  readonly bystanders: readonly Changed[];
  /** Checks that could no longer be decided: the fault took away what they build on. */
  readonly knockedOut: readonly string[];
}

export interface Changed {
  readonly check: string;
  readonly from: CheckState;
  readonly to: CheckVerdict;
}

/**
 * Compares the verdicts on a faulty gateway with those on the sound one.
 *
 * @param levelOf a MAY that changes its note blames nobody
 */
export function killing(
  fault: Declared,
  sound: Verdicts,
  faulty: Verdicts,
  levelOf: (check: string) => 'MUST' | 'SHOULD' | 'MAY',
): Killing {
  const killedBy: string[] = [];
  const bystanders: Changed[] = [];
  const knockedOut: string[] = [];
  for (const [check, to] of faulty) {
    const from = sound.get(check)?.state ?? 'excluded';
    const noticed = redStates.has(to.state) || (levelOf(check) === 'MAY' && to.state === 'note');
    if (to.state === from && !(noticed && levelOf(check) === 'MAY')) continue;
    if (noticed && to.state !== 'error' && covers(fault.breaks, check)) {
      killedBy.push(check);
    } else if (redStates.has(to.state) && !covers(fault.mayAlso ?? [], check)) {
      bystanders.push({ check, from, to });
    } else if (to.state === 'inconclusive') {
      knockedOut.push(check);
    }
  }
  const survived = fault.breaks.filter((id) => !killedBy.some((check) => covers([id], check)));
  return { fault, killedBy, survived, bystanders, knockedOut };
}

/** Whether one of the ids names the check: its own, the row that it is a value of, its area or its suite. */
export function covers(ids: readonly string[], check: string): boolean {
  return ids.some((id) => oneCovers(id, check));
}

/** What holds of Touchstone itself, whatever it is pointed at: no gateway can break or earn it. */
export const aboutOurselves: ReadonlySet<string> = new Set([
  'interruption/connection.harness-sends-once',
]);

/** The MUSTs that no fault of the matrix turned red. */
export function unbroken(countedMusts: readonly string[], matrix: readonly Killing[]): string[] {
  const broken = new Set(matrix.flatMap(({ killedBy }) => killedBy));
  return countedMusts.filter((check) => !broken.has(check) && !aboutOurselves.has(check));
}
