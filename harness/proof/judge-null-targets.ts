import { type RunVerdict, runVerdict } from '../kernel/core/index.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { type JudgedCheck, judgedChecks } from './judged-checks.ts';
import { aboutOurselves } from './matrix.ts';
import { type NullTargetKind, nullTargetKinds } from './null-servers.ts';

/** Result of judging a server that is not a gateway. */
export interface Earned {
  readonly kind: NullTargetKind;
  readonly verdict: RunVerdict;
  /** MUSTs that it passed: none may be among them. */
  readonly countedMusts: readonly string[];
  /** Errors of Touchstone itself, such as a scenario that asks for more than it declares. */
  readonly errors: readonly JudgedCheck[];
}

/**
 * Servers that give everyone the same good response do answer one endpoint well: what says how
 * that one answer is written holds of it. What says that something was served does not.
 */
const wellWritten: ReadonlySet<string> = new Set([
  'generation/responses.shape',
  'everywhere/native.ending-fits-request:responses',
  'generation/responses.usage-adds-up',
  'everywhere/native.body-not-enveloped:responses',
  'everywhere/native.created-in-seconds:responses',
  'everywhere/native.json-content-type:responses',
]);

const wellWriting: ReadonlySet<NullTargetKind> = new Set([
  'one-good-response',
  'good-response-or-none',
]);

/** Judges servers that do nothing of what a gateway does. */
export async function judgeNullTargets(
  options: JudgeOptions,
  kinds: readonly NullTargetKind[] = nullTargetKinds,
): Promise<readonly Earned[]> {
  const judged = await judgeTargets(
    kinds.map((kind) => ({
      id: kind,
      gateway: { kind: 'null-target', id: kind },
      selected: null,
    })),
    options,
  );
  return kinds.flatMap((kind) => {
    const checks = judgedChecks(judged.get(kind) ?? new Map());
    if (checks.length === 0) return [];
    const countedMusts = checks.filter(
      ({ check, level, verdict }) =>
        level === 'MUST' &&
        verdict.state === 'pass' &&
        !aboutOurselves.has(check) &&
        !(wellWriting.has(kind) && wellWritten.has(check)),
    );
    return [
      {
        kind,
        verdict: runVerdict(checks),
        countedMusts: countedMusts.map(({ check }) => check),
        errors: checks.filter(({ verdict }) => verdict.state === 'error'),
      },
    ];
  });
}
