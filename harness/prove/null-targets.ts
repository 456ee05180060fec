import { type NullTargetKind, nullTargetKinds } from '../reference/null-targets.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import { type RunVerdict, runVerdict } from '../spec/verdict.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { aboutOurselves } from './matrix.ts';

/** What a server that is no gateway has earned. */
export interface Earned {
  readonly kind: NullTargetKind;
  readonly verdict: RunVerdict;
  /** MUSTs that it passed: none may be among them. */
  readonly musts: readonly string[];
}

/**
 * Servers that give everyone the same good response do answer one endpoint well: what says how
 * that one answer is written holds of it. What says that something was served does not.
 */
const wellWritten: ReadonlySet<string> = new Set([
  'responses/create.shape',
  'responses/create.finished',
  'responses/create.usage-adds-up',
  'rules/metering.usage-counts-output:responses',
  'rules/native.body-not-enveloped:responses',
  'rules/native.created-in-seconds:responses',
  'rules/native.json-content-type:responses',
]);

const wellWriting: ReadonlySet<NullTargetKind> = new Set([
  'one-good-response',
  'good-response-or-none',
]);

/** Judges servers that do nothing of what a gateway does. */
export async function judgeNullTargets(options: JudgeOptions): Promise<readonly Earned[]> {
  const judged = await judgeTargets(
    nullTargetKinds.map((kind) => ({
      id: kind,
      gateway: { kind: 'null-target', id: kind },
      selected: null,
    })),
    options,
  );
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return nullTargetKinds.flatMap((kind) => {
    const verdicts = judged.get(kind);
    if (verdicts === undefined || verdicts.size === 0) return [];
    const checks = [...verdicts].map(([id, verdict]) => ({
      id,
      level: levels.get(id) ?? ('MAY' as const),
      verdict,
    }));
    const musts = checks.filter(
      ({ id, level, verdict }) =>
        level === 'MUST' &&
        verdict.state === 'pass' &&
        !aboutOurselves.has(id) &&
        !(wellWriting.has(kind) && wellWritten.has(id)),
    );
    return [{ kind, verdict: runVerdict(checks), musts: musts.map(({ id }) => id) }];
  });
}
