import { type CheckVerdict, covers, loadCatalogue } from '../../kernel/core/index.ts';
import {
  type Check,
  exchangesOf,
  LiveRun,
  outcomeOf,
  Recorder,
  registeredChecks,
  type Scenario,
  scenariosIn,
  scenariosToRun,
  startScenarios,
  type TargetRun,
  Traffic,
  untriedAt,
  whenReady,
  withPrerequisites,
} from '../../kernel/engine/index.ts';
import { referenceTarget, type Target } from '../../kernel/targets/index.ts';
import {
  type Fault,
  faults,
  killing,
  type Named,
  type NullTargetKind,
  type RecordedFailures,
  readRecorded,
  startSubject,
  variants,
} from '../../proof/index.ts';
import type { ReferenceOptions } from '../../reference/index.ts';
import { otherWords } from './answer-troubles.ts';
import {
  permittingOthers,
  silentAboutAll,
  withOwnSystemOne,
  withoutFixedWords,
} from './modest-targets.ts';
import { afterTransients } from './transients.ts';
import { troubles } from './troubles.ts';

/** Results of the suites before any mutation: states of checks, by trial. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Verdicts = Readonly<Record<string, CheckVerdict>>;

/** Run of a mutated suite against one gateway: Stryker's test. */
export interface Trial {
  readonly id: string;
  /** Checks that judge it. */
  readonly checks: readonly Check[];
  readonly gateway: TriedGateway;
  /** Too long to be asked anew for each mutant: what it answered without any is judged only. */
  readonly once?: boolean;
  /**
   * Scenario whose recorded answers are judged repeatedly, each time with another transient failure among
   * them.
   */
  readonly replayed?: Scenario;
  /** Describes what is wrong, or returns null if nothing is. */
  objection(verdicts: Verdicts, baseline: Baseline): string | null;
}

/** Gateway that is judged. Nothing is sent to a modest target. */
type TriedGateway =
  | Named
  | {
      readonly kind: 'reference';
      readonly options: ReferenceOptions;
      readonly patienceMs: number;
      /** Adapts the description of the target. */
      readonly describe?: (target: Target) => Target;
    }
  | { readonly kind: 'modest'; readonly target: Target };

/**
 * The trials: those that are quick to notice a mutant first.
 *
 * @param wanted `few`: without those that take long; else what their ids have to match; default: all
 */
export function allTrials(
  modest: ReadonlyMap<string, Target>,
  wanted = process.env.TOUCHSTONE_TRIALS ?? '',
): readonly Trial[] {
  const trials: readonly Trial[] = [
    ...[...modest].map(([name, target]) =>
      unchanged(`modest ${name}`, { kind: 'modest', target }, registeredChecks()),
    ),
    ...rows().map(([row, checks]) => unchanged(`sound ${row}`, { kind: 'sound' }, checks)),
    ...scenarios().map((replayed) => ({
      ...unchanged(
        `transients ${replayed.name}`,
        { kind: 'sound' },
        registeredChecks().filter(({ on }) => withPrerequisites(scenariosIn(on)).has(replayed)),
      ),
      replayed,
    })),
    ...nullTargets.flatMap((id) =>
      rows().map(([row, checks]) => unchanged(`${id} ${row}`, { kind: 'null-target', id }, checks)),
    ),
    ...faultTrials(),
    ...variants.map(({ id }) => once(`variant ${id}`, { kind: 'variant', id })),
    // Runs end at once here, for checks that have to report that they came too late.
    once('quick', { kind: 'reference', options: { tokenMs: 0 }, patienceMs: 2_000 }),
    once('silent', describedBy(silentAboutAll)),
    once(
      'silent, the least first',
      describedBy((target) => silentAboutAll({ ...target, models: [...target.models].reverse() })),
    ),
    once('own System One', describedBy(withOwnSystemOne)),
    once('permitting others', describedBy(permittingOthers)),
    unchanged(
      'other words each time',
      {
        kind: 'reference',
        options: { defect: otherWords },
        patienceMs: 2_000,
        describe: withoutFixedWords,
      },
      registeredChecks().filter(({ id }) => id.endsWith('deltas-join-to-text')),
    ),
    ...troubles.map((defect) =>
      once(`trouble ${defect.id}`, { kind: 'reference', options: { defect }, patienceMs: 300 }),
    ),
  ];
  if (wanted === 'few') return trials.filter((trial) => trial.once !== true);
  return trials.filter(({ id }) => new RegExp(wanted).test(id));
}

function describedBy(describe: (target: Target) => Target): TriedGateway {
  return { kind: 'reference', options: {}, patienceMs: 2_000, describe };
}

function once(id: string, gateway: TriedGateway): Trial {
  return { ...unchanged(id, gateway, registeredChecks()), once: true };
}

/** No gateways, but what they answer looks as if: where a check has to say that it cannot tell. */
const nullTargets: readonly NullTargetKind[] = ['empty-object', 'not-found', 'one-good-response'];

/** All that sends anything. */
function scenarios(): readonly Scenario[] {
  return [...withPrerequisites(registeredChecks().flatMap(({ on }) => scenariosIn(on)))];
}

function rows(): readonly (readonly [row: string, checks: readonly Check[]])[] {
  const found = new Map<string, Check[]>();
  for (const check of registeredChecks()) {
    const row = check.id.replace(/:.*/, '');
    found.set(row, [...(found.get(row) ?? []), check]);
  }
  return [...found].map(([row, checks]) => [row, withCompany(checks)]);
}

/** Areas that add exchanges for checks on all exchanges: requests served and refused. */
const company = ['access/credentials.', 'access/permissions.'];

function withCompany(checks: readonly Check[]): readonly Check[] {
  if (!checks.some(({ everywhere }) => everywhere !== undefined)) return checks;
  return registeredChecks().filter(
    (check) => checks.includes(check) || company.some((area) => check.id.startsWith(area)),
  );
}

/** At a gateway, or at a target that offers less, checks say what they said before. */
function unchanged(id: string, gateway: TriedGateway, checks: readonly Check[]): Trial {
  return {
    id,
    gateway,
    checks,
    objection(verdicts, baseline) {
      for (const [check, verdict] of Object.entries(verdicts)) {
        const before = baseline[id]?.[check];
        if (verdict.state !== before) return `${check}: ${before} → ${inWords(verdict)}`;
      }
      return null;
    },
  };
}

function faultTrials(): readonly Trial[] {
  const recorded = readRecorded(
    faults,
    loadCatalogue().checks.map(({ id }) => id),
  );
  return faults.map((fault) => faultTrial(fault, recorded));
}

/** A fault is noticed by all that it breaks, and by nothing else that looks at the same. */
function faultTrial(fault: Fault, recorded: RecordedFailures): Trial {
  const checks = withCompany(registeredChecks().filter(({ id }) => covers(fault.breaks, id)));
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return {
    id: `fault ${fault.id}`,
    gateway: { kind: 'fault', id: fault.id },
    checks,
    objection(verdicts) {
      const { survived, unexpected } = killing(
        fault,
        new Map(),
        new Map(Object.entries(verdicts)),
        (id) => levels.get(id) ?? 'MAY',
        recorded.get(fault.id),
      );
      if (survived.length > 0) return `not noticed by ${survived.join(', ')}`;
      const [one] = unexpected;
      return one === undefined ? null : `${one.check}: ${inWords(one.to)}`;
    },
  };
}

/**
 * Asks the gateway of a trial for all that is judged. What was captured can be judged many times.
 *
 * @param signal ends it early
 */
export async function captured(
  { gateway, checks }: Trial,
  signal: AbortSignal,
): Promise<TargetRun | null> {
  if (gateway.kind === 'modest') return null;
  const { target, close } = await started(gateway);
  const run = liveRun(target, signal);
  try {
    const scenarios = checks.flatMap((check) => scenariosToRun(check, target));
    await startScenarios(run, scenarios);
    await Promise.all(scenarios.map((scenario) => outcomeOf(run, scenario)));
  } finally {
    await close();
  }
  return run;
}

async function started(gateway: Exclude<TriedGateway, { kind: 'modest' }>) {
  if (gateway.kind !== 'reference') return startSubject({ id: '', gateway, selected: null });
  const { target, close } = await referenceTarget(gateway.options);
  const { patienceMs, describe = (whole: Target) => whole } = gateway;
  return { target: describe({ ...target, limits: { ...target.limits, patienceMs } }), close };
}

/**
 * Judges what was captured; of a modest target, what can be asked.
 *
 * @param enough asked on the way; true: the rest need not be judged
 */
export async function judged(
  { gateway, checks, replayed }: Trial,
  run: TargetRun | null,
  enough: (verdicts: Verdicts) => boolean = () => false,
): Promise<Verdicts> {
  if (replayed !== undefined && run !== null) return afterTransients(run, replayed, checks, enough);
  const verdicts = gateway.kind === 'sound' && run !== null ? await overspent(run) : {};
  for (const check of checks) {
    const { id, on } = check;
    if (run !== null) verdicts[id] = await (await whenReady(run, check))();
    else if (gateway.kind === 'modest')
      verdicts[id] = untriedAt(on, gateway.target) ?? { state: 'pass' };
  }
  return verdicts;
}

/** Scenarios that asked for more than they say they cost: a user has paid for what no plan had shown. */
async function overspent(run: TargetRun): Promise<Record<string, CheckVerdict>> {
  const verdicts: Record<string, CheckVerdict> = {};
  for (const [scenario, outcome] of run.outcomes) {
    const { requests } = scenario.costAt(run.target);
    const sent = exchangesOf(await outcome).length;
    if (sent <= requests) continue;
    verdicts[`cost of ${scenario.name}`] = {
      state: 'error',
      reason: `${sent} requests, planned were ${requests}`,
    };
  }
  return verdicts;
}

function liveRun(target: Target, stop: AbortSignal): LiveRun {
  return new LiveRun({
    target: { ...target, limits: { ...target.limits, concurrency: 16 } },
    seed: 1,
    runId: 'mutation',
    stop,
    traffic: new Traffic(),
    recorder: new Recorder(null),
  });
}

function inWords(verdict: CheckVerdict): string {
  const why = 'actual' in verdict ? verdict.actual : 'reason' in verdict ? verdict.reason : '';
  return `${verdict.state} ${why}`.slice(0, 300);
}
