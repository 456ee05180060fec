import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { covers, loadCatalogue, type RunVerdict, runVerdict } from '../../kernel/core/index.ts';
import { type JudgeOptions, judgeTargets } from '../judge-targets.ts';
import { type JudgedCheck, judgedChecks, undecidedMusts } from '../judged-checks.ts';
import type { Subject } from '../subject.ts';
import { brokenTwins, honestGateways, judgedByAll } from './index.ts';

export interface HonestRun {
  readonly id: string;
  readonly seed: number;
  readonly busy: boolean;
  readonly verdict: RunVerdict;
  /** Failed MUSTs, which are false positives. */
  readonly failed: readonly JudgedCheck[];
  /** MUSTs that could not be decided. */
  readonly undecided: readonly JudgedCheck[];
}

interface HonestExtent {
  /** Passes, in each of which every gateway is judged. Gateways that mostly wait are judged only in the first. */
  readonly passes: readonly HonestPass[];
  /** Checks to judge by; default: all. */
  readonly selected?: readonly string[];
}

/** One run for each gateway, with this seed, on an idle or on a busy machine. */
interface HonestPass {
  readonly seed: number;
  readonly busy: boolean;
}

/** Returns three passes with seeds from `seed` on: the first on an idle machine, two on a busy one. */
export function wholeExtent(seed: number): HonestExtent {
  return {
    passes: [
      { seed, busy: false },
      { seed: seed + 1, busy: true },
      { seed: seed + 2, busy: true },
    ],
  };
}

/** Returns the planned runs of an extent, in order. */
export function plannedRuns(
  ids: readonly string[],
  { passes }: HonestExtent,
): readonly (HonestPass & { readonly id: string })[] {
  return passes.flatMap((pass, index) =>
    ids.filter((id) => index === 0 || !isWaiting(id)).map((id) => ({ ...pass, id })),
  );
}

/** Judges honest gateways, once for each pass. */
export async function judgeHonest(
  ids: readonly string[],
  extent: HonestExtent,
  options: Omit<JudgeOptions, 'seed'>,
): Promise<readonly HonestRun[]> {
  const planned = plannedRuns(ids, extent);
  const busy = planned.filter((run) => run.busy);
  const waiting = planned.filter((run) => !run.busy && isWaiting(run.id));
  const idle = planned.filter((run) => !run.busy && !isWaiting(run.id));
  let done = 0;
  const judgeSome = async (runs: typeof planned, window: number) => {
    const onJudged = (some: number): void => options.onJudged?.(done + some, planned.length);
    const judged = await judgeRuns(runs, extent.selected, { ...options, onJudged, window });
    done += judged.length;
    return judged;
  };
  return [
    // Most of a run is waiting, so that a few runs on one core hardly slow each other down.
    ...(await judgeSome(idle, 5)),
    ...(await judgeSome(waiting, 10)),
    ...(busy.length === 0 ? [] : await onBusyMachine(() => judgeSome(busy, 2))),
  ];
}

async function judgeRuns(
  planned: readonly (HonestPass & { readonly id: string })[],
  selected: readonly string[] | undefined,
  options: Omit<JudgeOptions, 'seed'>,
): Promise<readonly HonestRun[]> {
  const name = ({ id, seed }: HonestPass & { readonly id: string }): string =>
    `${id} with the seed ${seed}`;
  const subjects = planned.map(
    (one) =>
      ({
        id: name(one),
        gateway: { kind: 'honest', id: one.id },
        selected: selected ?? checksOf(one.id),
        seed: one.seed,
        concurrency: 8,
      }) satisfies Subject,
  );
  const judged = await judgeTargets(subjects, { ...options, batch: 48, seed: 0 });
  return planned.flatMap((one) => {
    const checks = judgedChecks(judged.get(name(one)) ?? new Map());
    if (checks.length === 0) return [];
    const failed = checks.filter(
      ({ level, verdict: { state } }) =>
        level === 'MUST' && (state === 'fail' || state === 'error'),
    );
    return [{ ...one, verdict: runVerdict(checks), failed, undecided: undecidedMusts(checks) }];
  });
}

/** Returns the checks that a gateway is judged by; null for all. */
function checksOf(id: string): readonly string[] | null {
  const { rows } = [...honestGateways, ...brokenTwins].find((one) => one.id === id) ?? {};
  if (rows === undefined) return null;
  return loadCatalogue()
    .select(rows)
    .map((check) => check.id);
}

function isWaiting(id: string): boolean {
  return honestGateways.some((one) => one.id === id && one.waits === true);
}

/** Returns the rows that a broken twin breaks, and that no check noticed in this run; empty for an honest gateway. */
export function survivors({ id, failed }: HonestRun): readonly string[] {
  const { breaks = [] } = brokenTwins.find((twin) => twin.id === id) ?? {};
  return breaks.filter((row) => !failed.some(({ check }) => covers([row], check)));
}

/** True if an honest gateway is conformant, or a broken twin fails in the broken rows. */
export function isJudgedRight(run: HonestRun): boolean {
  const honest = honestGateways.find(({ id }) => id === run.id);
  if (honest !== undefined) {
    const { open = [] } = honest;
    const isOpen = ({ check }: JudgedCheck): boolean => covers(open, check);
    return run.failed.length === 0 && run.undecided.every(isOpen);
  }
  return run.verdict === 'nonconformant' && survivors(run).length === 0;
}

/** Returns the worst run for each gateway: most failures first, then most undecided checks. */
export function worstRuns(runs: readonly HonestRun[]): readonly HonestRun[] {
  return judgedByAll.flatMap(({ id }) => {
    const own = runs.filter((run) => run.id === id);
    const worst = own.toSorted(
      (a, b) =>
        b.failed.length - a.failed.length ||
        b.undecided.length - a.undecided.length ||
        Number(a.verdict === 'conformant') - Number(b.verdict === 'conformant'),
    )[0];
    return worst === undefined ? [] : [worst];
  });
}

/** Program that computes until its parent process exits. */
const hog = `
process.stdin.on('end', () => process.exit()).resume();
const compute = () => {
  const until = performance.now() + 20;
  while (performance.now() < until);
  setImmediate(compute);
};
compute();
`;

/** Performs an act while another process computes on every core of the machine. */
async function onBusyMachine<T>(act: () => Promise<T>): Promise<T> {
  const hogs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', hog], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  try {
    return await act();
  } finally {
    for (const one of hogs) one.stdin.end();
  }
}
