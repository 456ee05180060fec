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
 * The server that gives everyone the same good response does answer one endpoint well: what is judged
 * on that one answer alone holds of it.
 */
const servedIndeed = new Set([
  'responses/create.shape',
  'responses/create.finished',
  'responses/create.usage-adds-up',
  'responses/background.accepted',
  'rules/auth.own-header-served:responses',
  'rules/native.body-not-enveloped:responses',
  'rules/native.json-content-type:responses',
  'rules/protocols.declared-served:responses',
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
        !(kind === 'one-good-response' && servedIndeed.has(id)),
    );
    return [{ kind, verdict: runVerdict(checks), musts: musts.map(({ id }) => id) }];
  });
}
