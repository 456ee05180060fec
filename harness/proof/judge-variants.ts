import { loadCatalogue } from '../core/catalogue.ts';
import { type RunVerdict, runVerdict } from '../core/verdict.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { type Changed, covers, type Verdicts } from './matrix.ts';
import { type Subject, sound } from './subject.ts';
import { type Variant, variants } from './variants/index.ts';

/** How the suite took one legal difference. */
export interface Toleration {
  readonly variant: Variant;
  readonly verdict: RunVerdict;
  /** Checks that blame it: for a MUST always wrong, for a SHOULD unless it is declared. */
  readonly blamed: readonly Changed[];
}

/** Judges the reference gateway with each of these legal differences: all must stay green. */
export async function judgeVariants(
  chosen: readonly Variant[],
  options: JudgeOptions,
): Promise<readonly Toleration[]> {
  const subjects: Subject[] = [
    sound,
    ...chosen.map(({ id }): Subject => ({ id, gateway: { kind: 'variant', id }, selected: null })),
  ];
  const judged = await judgeTargets(subjects, options);
  const before: Verdicts = judged.get(sound.id) ?? new Map();
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return chosen.flatMap((variant) => {
    const verdicts = judged.get(variant.id);
    if (verdicts === undefined || verdicts.size === 0) return [];
    const checks = [...verdicts].map(([id, verdict]) => ({
      level: levels.get(id) ?? ('MAY' as const),
      verdict,
    }));
    const blamed = [...verdicts].flatMap(([check, to]): Changed[] => {
      const declared = to.state === 'warn' && covers(variant.warns ?? [], check);
      const wrong = to.state === 'fail' || to.state === 'error' || to.state === 'warn';
      const from = before.get(check)?.state ?? 'excluded';
      return wrong && !declared ? [{ check, from, to }] : [];
    });
    return [{ variant, verdict: runVerdict(checks), blamed }];
  });
}

/** Every legal difference. */
export const allVariants: readonly Variant[] = variants;
