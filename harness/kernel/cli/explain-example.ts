import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult, Exchange, Finding } from '../core/index.ts';
import { readRecording, run } from '../engine/index.ts';
import type { ExchangeView } from '../report/index.ts';
import { referenceTarget } from '../targets/index.ts';
import { viewOf } from '../terminal/index.ts';
import type { PlantedFault } from './feature.ts';

/** Exchanges with the reference gateway on which a check passes and fails. */
export interface Example {
  /** Exchange with the sound gateway; null if the check is not judged on single exchanges. */
  readonly good: ExchangeView | null;
  /** Exchange with a planted fault; null if no fault makes the check fail on one exchange. */
  readonly bad: {
    readonly fault: PlantedFault;
    readonly finding: Finding;
    readonly exchange: ExchangeView;
  } | null;
}

/** Any seed will do; the same one makes the same pages. */
const seed = 1;

/**
 * Judges one check on the reference gateway, as it is and with planted faults, until one fails it.
 *
 * @param faults those that are meant to break the check
 */
export async function exampleOf(id: string, faults: readonly PlantedFault[]): Promise<Example> {
  const sound = await judged(id, null);
  for (const fault of faults) {
    const { check, exchanges } = await judged(id, fault);
    const finding = findingOf(check);
    const exchange = exchangeOf(finding, exchanges);
    if (finding === null || exchange === undefined) continue;
    const same = sound.exchanges.find(({ key }) => key === exchange.key);
    return {
      good: same === undefined ? null : viewOf(same),
      bad: { fault, finding, exchange: viewOf(exchange) },
    };
  }
  const scenarios = sound.check?.scenarios ?? [];
  const own = sound.exchanges.filter(({ key }) =>
    scenarios.some((name) => key.startsWith(`${name}#`)),
  );
  const last = own.at(-1);
  return { good: last === undefined ? null : viewOf(last), bad: null };
}

function findingOf(check: CheckResult | undefined): Finding | null {
  const verdict = check?.verdict;
  return verdict?.state === 'fail' || verdict?.state === 'warn' ? verdict : null;
}

function exchangeOf(finding: Finding | null, exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find(({ key }) => key === finding?.evidence?.exchange);
}

async function judged(id: string, fault: PlantedFault | null) {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-explain-'));
  const recording = join(folder, 'exchanges.jsonl');
  const { target, close } = await referenceTarget(fault === null ? {} : { defect: fault });
  try {
    const result = await run({ target, seed, filters: [id], recording });
    return {
      check: result.checks.find((check) => check.id === id),
      exchanges: readRecording(recording).exchanges,
    };
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}
