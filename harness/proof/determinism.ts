import { type CheckState, loadCatalogue } from '../kernel/core/index.ts';
import { type Condition, faultyConditions, fewConditions, ordinary } from './conditions.ts';
import { type Fault, faults } from './faults/index.ts';
import { type JudgeOptions, judgeTargets } from './judge-targets.ts';
import { killing, type Verdicts } from './matrix.ts';
import { rowsOf } from './prove.ts';
import { isRecorded, noOtherFailures, readRecorded } from './recorded-failures.ts';
import type { Subject } from './subject.ts';

export interface Determinism {
  /** Id of the fault; null for the sound reference gateway. */
  readonly fault: string | null;
  readonly conditions: number;
  /** Number of conditions that were pending when the proof was interrupted. */
  readonly unjudged: number;
  /** Number of checks judged under the ordinary condition; 0 if the proof was interrupted earlier. */
  readonly judged: number;
  readonly changed: readonly ChangedVerdict[];
  /** Checks that the fault should break, and that did not notice it under some condition. */
  readonly survived: readonly { readonly condition: string; readonly id: string }[];
}

interface ChangedVerdict {
  readonly condition: string;
  readonly check: string;
  /** Verdict under the ordinary condition. */
  readonly from: CheckState;
  readonly to: CheckState;
}

/** Gateways and conditions that are judged repeatedly. Default: every value of every condition. */
interface Extent {
  readonly sound?: readonly Condition[];
  readonly faulty?: readonly Condition[];
  readonly faults?: ReadonlySet<string>;
}

/** Faults that show only after, during or between requests, so that a different order could hide them. */
const delicate: ReadonlySet<string> = new Set([
  'background.stale-replica',
  'cancel.only-answers-cancelled',
  'delete.deletes-all',
  'interruption.executed-again',
  'metering.cancelled-unrecorded',
  'owners.any-user-lookup',
  'recover.each-twice',
  'store.streamed-last-piece-lost',
  'websocket.history-outlives-connection',
  'websocket.interleaves',
]);

/**
 * Judges the same gateways with other seeds, orders and concurrencies: the sound one by every check, and some
 * faulty ones by the rows that they break.
 */
export async function determinism(
  options: JudgeOptions,
  { sound = fewConditions, faulty = faultyConditions, faults: chosen = delicate }: Extent = {},
): Promise<readonly Determinism[]> {
  const catalogue = loadCatalogue();
  const ids = catalogue.checks.map(({ id }) => id);
  const recorded = readRecorded(faults, ids);
  const levels = new Map(catalogue.checks.map(({ id, level }) => [id, level]));
  const gateways: { fault: Fault | null; conditions: readonly Condition[] }[] = [
    { fault: null, conditions: [ordinary, ...sound] },
    ...faults
      .filter(({ id }) => chosen.has(id))
      .map((fault) => ({ fault, conditions: [ordinary, ...faulty] })),
  ];
  const subjects = gateways.flatMap(({ fault, conditions }) =>
    conditions.map((condition) =>
      subject(fault, condition, fault && rowsOf(fault, ids, recorded.get(fault.id))),
    ),
  );
  const judged = await judgeTargets(subjects, options);
  const verdictsOf = (fault: Fault | null, condition: Condition): Verdicts =>
    judged.get(idOf(fault, condition)) ?? new Map();
  const soundly = verdictsOf(null, ordinary);
  return gateways.map(({ fault, conditions: wanted }) => {
    const before = verdictsOf(fault, ordinary);
    const otherFailures = recorded.get(fault?.id ?? '') ?? noOtherFailures;
    const conditions = wanted.filter((one) => judged.has(idOf(fault, one)));
    return {
      fault: fault?.id ?? null,
      conditions: conditions.length,
      unjudged: wanted.length - conditions.length,
      judged: before.size,
      changed: conditions.flatMap((one) =>
        // Other failures under a fault depend on the time at which the fault takes effect.
        differences(one.name, before, verdictsOf(fault, one)).filter(
          ({ check }) => !isRecorded(check, otherFailures),
        ),
      ),
      survived: conditions.flatMap((one) => {
        if (fault === null) return [];
        const levelOf = (id: string) => levels.get(id) ?? ('MAY' as const);
        const { survived } = killing(fault, soundly, verdictsOf(fault, one), levelOf);
        return survived.map((id) => ({ condition: one.name, id }));
      }),
    };
  });
}

/** True if no condition changed a verdict, or hid a fault. */
export function isDeterministic({ unjudged, judged, changed, survived }: Determinism): boolean {
  return unjudged === 0 && judged > 0 && changed.length === 0 && survived.length === 0;
}

function subject(
  fault: Fault | null,
  condition: Condition,
  selected: readonly string[] | null,
): Subject {
  const { seed, concurrency, sequence, latencyMs = 0 } = condition;
  const gateway: Subject['gateway'] =
    fault === null ? { kind: 'sound', latencyMs } : { kind: 'fault', id: fault.id, latencyMs };
  return { id: idOf(fault, condition), gateway, selected, seed, concurrency, sequence };
}

function idOf(fault: Fault | null, { name }: Condition): string {
  return `${fault?.id ?? 'sound'}: ${name}`;
}

/** Returns the changed verdicts; a missing one counts as excluded. */
export function differences(
  condition: string,
  before: Verdicts,
  after: Verdicts,
): ChangedVerdict[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((check) => {
    const from = before.get(check)?.state ?? 'excluded';
    const to = after.get(check)?.state ?? 'excluded';
    return from === to ? [] : [{ condition, check, from, to }];
  });
}
