import { type RunVerdict, runVerdict } from '../kernel/core/index.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { type JudgedCheck, judgedChecks } from './judged-checks.ts';
import { aboutOurselves } from './matrix.ts';
import { type NullTargetKind, nullTargetKinds } from './null-servers.ts';

/** Result of judging a server that is not a gateway. */
export interface Earned {
  readonly kind: NullTargetKind;
  readonly verdict: RunVerdict;
  /** MUSTs that it passed; there must be none. */
  readonly countedMusts: readonly string[];
  /** Errors of Touchstone itself, such as a scenario that exceeds its declared cost. */
  readonly errors: readonly JudgedCheck[];
}

/**
 * Checks of the form of one answer, which a server with one constant valid response satisfies. Checks that
 * something was served are not among them.
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

/** Judges servers with none of a gateway's functions. */
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
