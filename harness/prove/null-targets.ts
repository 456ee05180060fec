import { startReference } from '../reference/index.ts';
import {
  type NullTargetKind,
  nullTargetKinds,
  startNullTarget,
} from '../reference/null-targets.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import { type RunVerdict, runVerdict } from '../spec/verdict.ts';
import { describeReference } from '../target/reference.ts';
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
    nullTargetKinds.map((kind) => ({ id: kind, selected: null, start: () => nullTarget(kind) })),
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

/** The server, described as the reference gateway is: as if it offered everything. */
async function nullTarget(kind: NullTargetKind) {
  const reference = await startReference();
  const described = describeReference(reference, undefined);
  await reference.close();
  const { baseUrl, close } = await startNullTarget(kind);
  const target = {
    ...described,
    // One server in two roles, as it would be behind two names.
    regions: described.regions.map(({ name }) => ({ name, baseUrl: `${baseUrl}/${name}` })),
    probes: {
      ledger: [`${baseUrl}/_touchstone/ledger`],
      clock: [`${baseUrl}/_touchstone/clock`],
    },
    // Short for the one that never answers. On a busy machine the others may take a moment: an answer
    // that comes too late would leave undecided what must be held against them.
    limits: {
      ...described.limits,
      timeoutMs: kind === 'hangs' ? 300 : 10_000,
      patienceMs: 300,
    },
  };
  return { target, close };
}
