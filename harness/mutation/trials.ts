import { LiveRun } from '../check/live-run.ts';
import { type Bound, keptChecks } from '../check/many.ts';
import { castFor } from '../check/needs.ts';
import { outcomeOf } from '../check/outcome.ts';
import { Recorder } from '../check/recorder.ts';
import { startScenarios } from '../check/sequence.ts';
import type { TargetRun } from '../check/session.ts';
import { Traffic } from '../check/traffic.ts';
import { wholeRun } from '../check/whole-run.ts';
import { covers, killing } from '../prove/matrix.ts';
import { type Named, startSubject } from '../prove/subject.ts';
import { type Fault, faults } from '../reference/faults/index.ts';
import type { ReferenceOptions } from '../reference/index.ts';
import type { NullTargetKind } from '../reference/null-targets.ts';
import { variants } from '../reference/variants/index.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import type { CheckVerdict } from '../spec/verdict.ts';
import { referenceTarget } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import { silentAboutAll, withOwnSystemOne } from './modest-targets.ts';
import { troubles } from './troubles.ts';

/** What the suites came to before any of them was mutated: states of checks, by trial. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Verdicts = Readonly<Record<string, CheckVerdict>>;

/** One thing that a mutant of a suite is held against: Stryker's test. */
export interface Trial {
  readonly id: string;
  /** What it is judged by. */
  readonly checks: readonly Bound[];
  readonly gateway: TriedGateway;
  /** Too long to be asked anew for each mutant: what it answered without any is judged only. */
  readonly once?: boolean;
  /** What is wrong, in words; null when nothing is. */
  objection(verdicts: Verdicts, baseline: Baseline): string | null;
}

/** What is judged; of a modest target nothing is asked. */
type TriedGateway =
  | Named
  | {
      readonly kind: 'reference';
      readonly options: ReferenceOptions;
      readonly patienceMs: number;
      /** What is said of it. */
      readonly describe?: (target: Target) => Target;
    }
  | { readonly kind: 'modest'; readonly target: Target };

/** Every trial: those that are quick to notice a mutant first. */
export function allTrials(
  modest: ReadonlyMap<string, Target>,
  quickly = process.env.TOUCHSTONE_TRIALS === 'few',
): readonly Trial[] {
  const trials: readonly Trial[] = [
    ...[...modest].map(([name, target]) =>
      unchanged(`modest ${name}`, { kind: 'modest', target }, keptChecks()),
    ),
    ...rows().map(([row, checks]) => unchanged(`sound ${row}`, { kind: 'sound' }, checks)),
    ...nullTargets.flatMap((id) =>
      rows().map(([row, checks]) => unchanged(`${id} ${row}`, { kind: 'null-target', id }, checks)),
    ),
    ...faults.map(faultTrial),
    ...variants.map(({ id }) => once(`variant ${id}`, { kind: 'variant', id })),
    // It has ended what others are still doing: where a check has to say that it came too late.
    once('quick', { kind: 'reference', options: { tokenMs: 0 }, patienceMs: 2_000 }),
    once('silent', {
      kind: 'reference',
      options: {},
      patienceMs: 2_000,
      describe: silentAboutAll,
    }),
    once('own System One', {
      kind: 'reference',
      options: {},
      patienceMs: 2_000,
      describe: withOwnSystemOne,
    }),
    ...troubles.map((defect) =>
      once(`trouble ${defect.id}`, { kind: 'reference', options: { defect }, patienceMs: 300 }),
    ),
  ];
  return quickly ? trials.filter((trial) => trial.once !== true) : trials;
}

function once(id: string, gateway: TriedGateway): Trial {
  return { ...unchanged(id, gateway, keptChecks()), once: true };
}

/** No gateways, but what they answer looks as if: where a check has to say that it cannot tell. */
const nullTargets: readonly NullTargetKind[] = ['empty-object', 'not-found', 'one-good-response'];

function rows(): readonly (readonly [row: string, checks: readonly Bound[]])[] {
  const found = new Map<string, Bound[]>();
  for (const check of keptChecks()) {
    const row = check.id.replace(/:.*/, '');
    found.set(row, [...(found.get(row) ?? []), check]);
  }
  return [...found].map(([row, checks]) => [row, withCompany(checks)]);
}

/** What makes the exchanges for that which is judged on a whole run: requests served and refused. */
const company = ['rules/auth.', 'rules/permissions.'];

function withCompany(checks: readonly Bound[]): readonly Bound[] {
  if (!checks.some(({ scenario }) => scenario === wholeRun)) return checks;
  return keptChecks().filter(
    (check) => checks.includes(check) || company.some((area) => check.id.startsWith(area)),
  );
}

/** At a gateway, or at a target that offers less, checks say what they said before. */
function unchanged(id: string, gateway: TriedGateway, checks: readonly Bound[]): Trial {
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

/** A fault is noticed by all that it breaks, and by nothing else that looks at the same. */
function faultTrial(fault: Fault): Trial {
  const checks = withCompany(keptChecks().filter(({ id }) => covers(fault.breaks, id)));
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return {
    id: `fault ${fault.id}`,
    gateway: { kind: 'fault', id: fault.id },
    checks,
    objection(verdicts) {
      const { survived, bystanders } = killing(
        fault,
        new Map(),
        new Map(Object.entries(verdicts)),
        (id) => levels.get(id) ?? 'MAY',
      );
      if (survived.length > 0) return `not noticed by ${survived.join(', ')}`;
      const [one] = bystanders;
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
    const scenarios = checks.map(({ scenario }) => scenario);
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

/** Judges what was captured; of a modest target, what can be asked. */
export async function judged({ gateway, checks }: Trial, run: TargetRun | null): Promise<Verdicts> {
  const verdicts: Record<string, CheckVerdict> = {};
  for (const { id, scenario, verdict } of checks) {
    if (run !== null) verdicts[id] = await verdict(run);
    else if (gateway.kind === 'modest')
      verdicts[id] = askable(castFor(scenario.needs, gateway.target));
  }
  return verdicts;
}

function askable(casting: ReturnType<typeof castFor>): CheckVerdict {
  return casting.kind === 'cast'
    ? { state: 'pass' }
    : { state: casting.kind, reason: casting.reason };
}

function liveRun(target: Target, stop: AbortSignal): LiveRun {
  return new LiveRun({
    target: { ...target, limits: { ...target.limits, concurrency: 16 } },
    seed: 1,
    runId: 'mutation',
    stop,
    traffic: new Traffic(),
    recorder: new Recorder(null),
    moved: () => {},
  });
}

function inWords(verdict: CheckVerdict): string {
  const why = 'actual' in verdict ? verdict.actual : 'reason' in verdict ? verdict.reason : '';
  return `${verdict.state} ${why}`.slice(0, 300);
}
