import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CheckResult,
  type Exchange,
  type Finding,
  formatId,
  formatSender,
  sameId,
} from '../core/index.ts';
import { run } from '../engine/index.ts';
import { readRecording } from '../recordings/index.ts';
import type { ExchangeView } from '../report/index.ts';
import { referenceTarget, type Target } from '../targets/index.ts';
import { viewOf } from '../terminal/index.ts';
import type { PlantedFault } from './feature.ts';

/** Exchanges with the reference gateway on which a check passes and fails. */
export interface Example {
  /** Exchange with the sound gateway. */
  readonly good: ExchangeView | null;
  /** Exchange with a planted fault; null if no fault makes the check fail on one exchange. */
  readonly bad: {
    readonly fault: PlantedFault;
    readonly finding: Finding;
    readonly exchange: ExchangeView;
  } | null;
}

/** Any fixed seed, so that the pages are reproducible. */
const seed = 1;

/**
 * Judges one check on the reference gateway, without a fault and with planted faults until one fails it.
 *
 * @param faults those that are meant to break the check
 */
export async function exampleOf(id: string, faults: readonly PlantedFault[]): Promise<Example> {
  const sound = await judgedSound(id);
  const scenarios = sound.check?.scenarios ?? [];
  for (const fault of faults) {
    const { check, exchanges } = await judged(id, fault);
    const finding = findingOf(check);
    const exchange = exchangeOf(finding, exchanges);
    if (finding === null || exchange === undefined) continue;
    const good = soundExchange(scenarios, sound.exchanges, exchange);
    return {
      good: good && viewOf(good),
      bad: { fault, finding, exchange: viewOf(exchange) },
    };
  }
  const good = soundExchange(scenarios, sound.exchanges);
  return { good: good && viewOf(good), bad: null };
}

/**
 * Returns the exchange with the sound gateway that illustrates a check best: the counterpart of the exchange that
 * fails it, or else the last one of its scenarios, or of their prerequisites. A fault may lead to requests that a
 * sound run does not need.
 *
 * @param scenarios names of those that the check is judged on
 * @param exchanges all that were sent for the check
 */
export function soundExchange(
  scenarios: readonly string[],
  exchanges: readonly Exchange[],
  failing: Exchange | null = null,
): Exchange | null {
  const isOwn = ({ id }: Exchange): boolean => scenarios.includes(formatSender(id));
  const isAlike = ({ id, about }: Exchange): boolean =>
    failing !== null &&
    formatSender(id) === formatSender(failing.id) &&
    about.operation === failing.about.operation;
  return (
    exchanges.find(({ id }) => failing !== null && sameId(id, failing.id)) ??
    exchanges.findLast((one) => isAlike(one) && one.id.lane === failing?.id.lane) ??
    exchanges.findLast(isAlike) ??
    exchanges.findLast(isOwn) ??
    exchanges.at(-1) ??
    null
  );
}

function findingOf(check: CheckResult | undefined): Finding | null {
  const verdict = check?.verdict;
  return verdict?.state === 'fail' || verdict?.state === 'warn' ? verdict : null;
}

function exchangeOf(finding: Finding | null, exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find(({ id }) => formatId(id) === finding?.evidence?.exchange);
}

/** Descriptions of the reference gateway. Some checks investigate what a target file leaves out. */
const descriptions: readonly ((target: Target) => Target)[] = [
  (target) => target,
  (target) => {
    const models = target.models.map((model) => ({ ...model, supports: [], lacks: [] }));
    return { ...target, models };
  },
  (target) => ({ ...target, models: [] }),
];

/** Judges one check on the sound gateway, under the first description with which something is sent. */
async function judgedSound(id: string) {
  for (const description of descriptions) {
    const sound = await judged(id, null, description);
    if (sound.exchanges.length > 0) return sound;
  }
  throw new Error(`Nothing is sent for ${id}.`);
}

async function judged(
  id: string,
  fault: PlantedFault | null,
  description: (target: Target) => Target = (target) => target,
) {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-explain-'));
  const recording = join(folder, 'exchanges.jsonl');
  const { target, close } = await referenceTarget(fault === null ? {} : { defect: fault });
  try {
    const result = await run({ target: description(target), seed, filters: [id], recording });
    return {
      check: result.checks.find((check) => check.id === id),
      exchanges: readRecording(recording).exchanges,
    };
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}
