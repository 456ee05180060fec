import { setImmediate as turn } from 'node:timers/promises';
import type { CheckVerdict } from '../core/verdict.ts';
import { scenariosToRun } from './capture.ts';
import { type Check, judgedOn } from './registry.ts';
import type { Scenario } from './scenario.ts';
import { startScenarios } from './schedule/sequence.ts';
import type { TargetRun } from './session.ts';

/** So many milliseconds are judged at a time; then whatever has come meanwhile has its turn. */
const atATime = 20;

export interface VerdictsOptions {
  /** Scenarios that no check of these needs, and that are run as well. */
  readonly besides?: readonly Scenario[];
  readonly onVerdict?: (check: Check, verdict: CheckVerdict) => void;
}

/**
 * Runs what checks need, all of it together, and judges by each as soon as what it is judged on is
 * there. By their ids, in the order of the checks.
 */
export async function verdictsOf(
  run: TargetRun,
  checks: readonly Check[],
  { besides = [], onVerdict = () => {} }: VerdictsOptions = {},
): Promise<Map<string, CheckVerdict>> {
  const asked = [...checks.flatMap((check) => judgedOn(check, run.target)), ...besides];
  await startScenarios(run, [
    ...asked.flatMap((on) => scenariosToRun(on, run.target)),
    ...checks.flatMap((check) => check.besides ?? []),
  ]);
  const inTurn = oneByOne();
  const verdicts = await Promise.all(
    checks.map(async (check) => {
      const verdict = await inTurn(await check.ready(run));
      onVerdict(check, verdict);
      return [check.id, verdict] as const;
    }),
  );
  return new Map(verdicts);
}

/**
 * Many checks are judged on one scenario, and become ready in the same moment. They may not keep the
 * answers of the gateway waiting, nor Ctrl-C.
 */
function oneByOne(): <T>(judged: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let since = performance.now();
  return (judged) => {
    const next = last.then(async () => {
      if (performance.now() - since > atATime) {
        await turn();
        since = performance.now();
      }
      return judged();
    });
    last = next;
    return next;
  };
}
