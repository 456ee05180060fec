import {
  type CheckState,
  type CheckVerdict,
  type Level,
  loadCatalogue,
  restrictionOf,
} from '../kernel/core/index.ts';
import type { Verdicts } from './matrix.ts';

export interface JudgedCheck {
  readonly check: string;
  readonly level: Level;
  readonly verdict: CheckVerdict;
}

export function judgedChecks(verdicts: Verdicts): readonly JudgedCheck[] {
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return [...verdicts].map(([check, verdict]) => ({
    check,
    level: levels.get(check) ?? 'MAY',
    verdict,
  }));
}

const undecided: ReadonlySet<CheckState> = new Set(['inconclusive', 'untestable', 'excluded']);

export function undecidedMusts(checks: readonly JudgedCheck[]): readonly JudgedCheck[] {
  return checks.filter(
    ({ level, verdict }) =>
      level === 'MUST' && undecided.has(verdict.state) && restrictionOf(verdict) === null,
  );
}
