import type { CheckVerdict, Settled } from '../core/index.ts';
import { secondPass } from './again/index.ts';
import { scenariosToRun } from './capture.ts';
import { withDivision } from './dividing.ts';
import { whenReady } from './executor.ts';
import { explainingFailures } from './explaining-failures.ts';
import { type Check, scenariosAt } from './registry.ts';
import type { Scenario } from './scenario.ts';
import { startScenarios } from './schedule/sequence.ts';
import { wholeRunOf } from './sent.ts';
import type { TargetRun } from './session.ts';
import { Turns } from './turns.ts';

/** Milliseconds of judging between two turns of the event loop. */
const atATime = 20;

interface VerdictsOptions {
  /** Scenarios to run in addition to those of the checks. */
  readonly besides?: readonly Scenario[];
  readonly onVerdict?: (check: Check, verdict: CheckVerdict) => void;
  /** Called with the number of checks that were judged once more, and of those decided by that. */
  readonly onSettled?: (settled: Settled) => void;
}

/**
 * Runs the scenarios of checks concurrently, and judges each check as soon as its scenarios have their outcomes.
 * Checks that are undecided then run and are judged once more if the run allows it. Returns verdicts by id, in the
 * order of the checks.
 */
export async function verdictsOf(
  run: TargetRun,
  checks: readonly Check[],
  { besides, onVerdict = () => {}, onSettled = () => {} }: VerdictsOptions = {},
): Promise<Map<string, CheckVerdict>> {
  const verdicts = await judged(run, checks, {
    ...(besides === undefined ? {} : { besides }),
    onVerdict: (check, verdict) => {
      if (verdict.state !== 'inconclusive') onVerdict(check, verdict);
    },
  });
  const undecided = checks.flatMap((check) => {
    const verdict = verdicts.get(check.id);
    return verdict?.state === 'inconclusive' ? [{ check, verdict }] : [];
  });
  const again = undecided.flatMap(({ check, verdict }) =>
    run.retries.settles(verdict.cause, scenariosAt(check, run.target)) ? [check] : [],
  );
  const settled = again.length === 0 ? verdicts : await judged(secondPass(run), again, {});
  for (const { check, verdict } of undecided) {
    // Undecided again: the first reason is kept.
    const second = settled.get(check.id) ?? verdict;
    const last = second.state === 'inconclusive' ? verdict : second;
    verdicts.set(check.id, last);
    onVerdict(check, last);
  }
  if (again.length > 0) {
    const decided = again.filter(({ id }) => verdicts.get(id)?.state !== 'inconclusive').length;
    onSettled({ checks: again.length, decided });
  }
  const { exchanges } = await wholeRunOf(run);
  for (const [id, behind] of explainingFailures(verdicts, exchanges)) {
    const verdict = verdicts.get(id);
    if (verdict?.state === 'inconclusive') verdicts.set(id, { ...verdict, behind });
  }
  const { consistencyMs } = run.target.limits;
  for (const [id, verdict] of withDivision(verdicts, exchanges, consistencyMs)) {
    verdicts.set(id, verdict);
  }
  return verdicts;
}

async function judged(
  run: TargetRun,
  checks: readonly Check[],
  { besides = [], onVerdict = () => {} }: VerdictsOptions,
): Promise<Map<string, CheckVerdict>> {
  await startScenarios(run, [
    ...checks.flatMap((check) => scenariosToRun(check, run.target)),
    ...besides,
    ...checks.flatMap((check) => check.besides ?? []),
  ]);
  const inTurn = oneByOne();
  const verdicts = await Promise.all(
    checks.map(async (check) => {
      const verdict = await inTurn(await whenReady(run, check));
      onVerdict(check, verdict);
      return [check.id, verdict] as const;
    }),
  );
  return new Map(verdicts);
}

/**
 * Judges one check at a time, with turns of the event loop in between: many checks on one scenario become ready at
 * once, and must not delay answers of the gateway, or Ctrl-C.
 */
function oneByOne(): <T>(judged: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  const turns = new Turns(atATime);
  return (judged) => {
    const next = last.then(async () => {
      await turns.giveWay();
      return judged();
    });
    last = next;
    return next;
  };
}
