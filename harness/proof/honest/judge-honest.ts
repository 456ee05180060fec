import { loadCatalogue, type RunVerdict, runVerdict } from '../../core/index.ts';
import { type JudgeOptions, judgeTargets } from '../judge-targets.ts';
import { type JudgedCheck, judgedChecks, undecidedMusts } from '../judged-checks.ts';
import { covers } from '../matrix.ts';
import type { Subject } from '../subject.ts';
import { onBusyMachine } from './busy.ts';
import { brokenTwins, honestGateways, judgedByAll } from './index.ts';

/** One run on an honest gateway. */
export interface HonestRun {
  readonly id: string;
  readonly seed: number;
  readonly busy: boolean;
  readonly verdict: RunVerdict;
  /** MUSTs that it was blamed for. */
  readonly failed: readonly JudgedCheck[];
  /** MUSTs that could not be decided. */
  readonly undecided: readonly JudgedCheck[];
}

export interface HonestExtent {
  readonly seeds: readonly number[];
  /** Machine loads to judge under: false for idle, true for busy. */
  readonly busy: readonly boolean[];
  /** By which checks; default: all. */
  readonly selected?: readonly string[];
}

/** Judges honest gateways, with each seed, on an idle and on a busy machine. */
export async function judgeHonest(
  ids: readonly string[],
  { busy, ...extent }: HonestExtent,
  options: Omit<JudgeOptions, 'seed'>,
): Promise<readonly HonestRun[]> {
  const runs: HonestRun[] = [];
  for (const isBusy of busy) {
    const own = ids.filter((id) => !isBusy || busy.length === 1 || !isWaiting(id));
    const judging = () => judgeEach(own, extent, options);
    const judged = isBusy ? await onBusyMachine(judging) : await judging();
    runs.push(...judged.map((run) => ({ ...run, busy: isBusy })));
  }
  return runs;
}

async function judgeEach(
  ids: readonly string[],
  { seeds, selected }: Omit<HonestExtent, 'busy'>,
  options: Omit<JudgeOptions, 'seed'>,
): Promise<readonly Omit<HonestRun, 'busy'>[]> {
  const wanted = ids.flatMap((id) =>
    (isWaiting(id) ? seeds.slice(0, 1) : seeds).map((seed) => ({ id, seed })),
  );
  const name = ({ id, seed }: (typeof wanted)[number]): string => `${id} with the seed ${seed}`;
  const subjects = wanted.map(
    (one) =>
      ({
        id: name(one),
        gateway: { kind: 'honest', id: one.id },
        selected: selected ?? rowsOf(one.id),
        seed: one.seed,
        concurrency: 8,
      }) satisfies Subject,
  );
  const side = { ...options, batch: 40, jobs: options.jobs ?? 1, seed: 0 };
  // One at a time: the others would make the machine busy. Those that wait take nothing from one another.
  const busyOnes = subjects.filter(({ gateway }) => !isWaiting(gateway.id));
  const waiting = subjects.filter(({ gateway }) => isWaiting(gateway.id));
  const judged = new Map([
    ...(await judgeTargets(busyOnes, { ...side, window: 1 })),
    ...(await judgeTargets(waiting, { ...side, window: 10 })),
  ]);
  return wanted.flatMap((one) => {
    const checks = judgedChecks(judged.get(name(one)) ?? new Map());
    if (checks.length === 0) return [];
    const failed = checks.filter(
      ({ level, verdict: { state } }) =>
        level === 'MUST' && (state === 'fail' || state === 'error'),
    );
    return [{ ...one, verdict: runVerdict(checks), failed, undecided: undecidedMusts(checks) }];
  });
}

/** The checks that a gateway is judged by; null: all. */
function rowsOf(id: string): readonly string[] | null {
  const { rows } = [...honestGateways, ...brokenTwins].find((one) => one.id === id) ?? {};
  if (rows === undefined) return null;
  return loadCatalogue()
    .select(rows)
    .map((check) => check.id);
}

function isWaiting(id: string): boolean {
  return honestGateways.some((one) => one.id === id && one.waits === true);
}

/**
 * Returns the rows that a broken twin breaks, and that no check noticed in this run; empty for an honest
 * gateway.
 */
export function survivors({ id, failed }: HonestRun): readonly string[] {
  const { breaks = [] } = brokenTwins.find((twin) => twin.id === id) ?? {};
  return breaks.filter((row) => !failed.some(({ check }) => covers([row], check)));
}

/** An honest gateway is conformant; its broken twin is not, by what is broken. */
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
