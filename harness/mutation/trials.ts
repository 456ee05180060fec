import { LiveRun } from '../check/live-run.ts';
import { type Bound, keptChecks, verdictsAt } from '../check/many.ts';
import { castFor } from '../check/needs.ts';
import { Recorder } from '../check/recorder.ts';
import { Traffic } from '../check/traffic.ts';
import { wholeRun } from '../check/whole-run.ts';
import { covers, killing } from '../prove/matrix.ts';
import { type Fault, faults } from '../reference/faults/index.ts';
import type { Defect } from '../reference/seams.ts';
import { loadCatalogue } from '../spec/catalogue.ts';
import type { CheckVerdict } from '../spec/verdict.ts';
import { referenceTarget } from '../target/reference.ts';
import type { Target } from '../target/target.ts';

/** What the suites came to before any of them was mutated. */
export interface Baseline {
  /** State of each check at the sound reference gateway. */
  readonly sound: Readonly<Record<string, string>>;
  /** By the name of a modest target: whether it can be asked what each check is judged on. */
  readonly modest: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** One thing that a mutant of a suite is held against: Stryker's test. */
export interface Trial {
  readonly id: string;
  /** What it is judged by. */
  readonly checks: readonly Bound[];
  /**
   * What is wrong, in words; null when nothing is. Whatever it threw would be wrong, too.
   *
   * @param signal ends it early: somebody else has noticed the mutant
   */
  objection(baseline: Baseline, signal: AbortSignal): Promise<string | null>;
}

/** What makes the exchanges for that which is judged on a whole run: requests served and refused. */
const company = ['rules/auth.', 'rules/permissions.'];

function withCompany(checks: readonly Bound[]): readonly Bound[] {
  if (!checks.some(({ scenario }) => scenario === wholeRun)) return checks;
  return keptChecks().filter(
    (check) => checks.includes(check) || company.some((area) => check.id.startsWith(area)),
  );
}

/** Every trial: those that are quick to notice a mutant first, and faults last. */
export function allTrials(modest: ModestTargets): readonly Trial[] {
  const rows = new Map<string, Bound[]>();
  for (const check of keptChecks()) {
    const row = check.id.replace(/:.*/, '');
    rows.set(row, [...(rows.get(row) ?? []), check]);
  }
  return [
    ...[...modest].map(([name, target]) => modestTrial(name, target)),
    ...[...rows].map(([row, checks]) => soundTrial(row, withCompany(checks))),
    ...faults.map(faultTrial),
  ];
}

type ModestTargets = ReadonlyMap<string, Target>;

/** At the sound reference gateway, a row says what it said before. */
function soundTrial(row: string, checks: readonly Bound[]): Trial {
  return {
    id: `sound ${row}`,
    checks,
    async objection({ sound }, signal) {
      for (const [id, verdict] of Object.entries(await judged(checks, signal))) {
        if (verdict.state !== sound[id]) return `${id}: ${sound[id]} → ${inWords(verdict)}`;
      }
      return null;
    },
  };
}

/** At a target that offers less, the same can be asked as before; nothing is sent. */
function modestTrial(name: string, target: Target): Trial {
  return {
    id: `modest ${name}`,
    checks: keptChecks(),
    async objection({ modest }) {
      for (const [id, kind] of Object.entries(castings(target))) {
        const before = modest[name]?.[id];
        if (kind !== before) return `${id}: ${before} → ${kind}`;
      }
      return null;
    },
  };
}

/** A fault is noticed by what it breaks, and by nothing else of that. */
function faultTrial(fault: Fault): Trial {
  const checks = withCompany(keptChecks().filter(({ id }) => covers(fault.breaks, id)));
  const levels = new Map(loadCatalogue().checks.map(({ id, level }) => [id, level]));
  return {
    id: `fault ${fault.id}`,
    checks,
    async objection({ sound }, signal) {
      const verdicts = new Map(Object.entries(await judged(checks, signal, fault)));
      const before = new Map([...verdicts.keys()].map((id) => [id, asVerdict(sound[id])]));
      const { survived, bystanders } = killing(
        fault,
        before,
        verdicts,
        (id) => levels.get(id) ?? 'MAY',
      );
      if (survived.length > 0) return `not noticed by ${survived.join(', ')}`;
      const [one] = bystanders;
      return one === undefined ? null : `${one.check}: ${inWords(one.to)}`;
    },
  };
}

/** What the suites come to now: only to be asked when nothing is mutated. */
export async function baselineNow(targets: ModestTargets): Promise<Baseline> {
  const verdicts = await judged(keptChecks(), new AbortController().signal);
  return {
    sound: Object.fromEntries(Object.entries(verdicts).map(([id, { state }]) => [id, state])),
    modest: Object.fromEntries([...targets].map(([name, target]) => [name, castings(target)])),
  };
}

function castings(target: Target): Record<string, string> {
  return Object.fromEntries(
    keptChecks().map(({ id, scenario }) => [id, castFor(scenario.needs, target).kind]),
  );
}

async function judged(
  checks: readonly Bound[],
  signal: AbortSignal,
  defect?: Defect,
): Promise<Record<string, CheckVerdict>> {
  const { target, close } = await referenceTarget(defect === undefined ? {} : { defect });
  try {
    return await verdictsAt(liveRun(target, signal), checks);
  } finally {
    await close();
  }
}

function liveRun(target: Target, stop: AbortSignal): LiveRun {
  return new LiveRun({
    target,
    seed: 1,
    runId: 'mutation',
    stop,
    traffic: new Traffic(),
    recorder: new Recorder(null),
    moved: () => {},
  });
}

function asVerdict(state: string | undefined): CheckVerdict {
  return { state: state ?? 'excluded', reason: '' } as CheckVerdict;
}

function inWords(verdict: CheckVerdict): string {
  const why = 'actual' in verdict ? verdict.actual : 'reason' in verdict ? verdict.reason : '';
  return `${verdict.state} ${why}`.slice(0, 300);
}
